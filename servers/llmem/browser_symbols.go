package llmem

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"goated/servers/llmem/browse"
	"goated/servers/llmem/index"
	"goated/servers/llmem/rank"
)

// Symbols finds definitions outside of functions whose names contain the words.
func (b browser) Symbols(ctx context.Context, words []string, most int) (list []browse.Place, complete bool, err error) {
	words = strings.Fields(strings.ToLower(strings.Join(words, " ")))
	if len(words) == 0 {
		return nil, true, nil
	}
	err = b.with(func(c *call) error {
		status, err := c.status(ctx, index.Want{Wait: 300 * time.Millisecond})
		if err != nil {
			return err
		}
		complete = status.Pending == 0
		type match struct {
			browse.Place
			weight int
		}
		var all []match
		for _, e := range c.present(c.index.Snapshot()).Entries {
			for i := range e.Symbols {
				y := &e.Symbols[i]
				if y.Local {
					continue
				}
				name := strings.ToLower(y.Name)
				full := strings.ToLower(y.Parent) + "." + name
				if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(full, w) }) {
					continue
				}
				last := words[len(words)-1]
				last = last[strings.LastIndexByte(last, '.')+1:]
				weight := len(name)
				switch {
				case !strings.Contains(name, last): // only the parent's name contains the word
					weight += 2000
				case name == last:
				case strings.HasPrefix(name, last):
					weight += 100
				default:
					weight += 300
				}
				if rank.IsTest(e.Path) {
					weight += 1000
				}
				all = append(all, match{browse.Place{Path: e.Path, Kind: y.Kind, Name: y.Name, Parent: y.Parent, Line: y.StartLine}, weight})
			}
		}
		slices.SortStableFunc(all, func(a, b match) int { return cmp.Compare(a.weight, b.weight) })
		for _, m := range all[:min(len(all), most)] {
			list = append(list, m.Place)
		}
		return nil
	})
	return list, complete, err
}
