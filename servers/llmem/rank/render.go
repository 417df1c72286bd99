package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Tokens estimates the number of tokens in a text: one per 3.5 bytes of code.
func Tokens(s string) int { return (len(s)*2 + 6) / 7 }

// MaxDefinitions returns the maximum number of definitions that fit into a budget of tokens. Each takes at
// least 4.
func MaxDefinitions(budget int) int { return budget/4 + 1 }

// A Map is a rendered part of a ranking.
type Map struct {
	Text   string
	Tokens int
	Shown  int      // number of definitions
	Paths  []string // the files
	Total  int      // number of definitions in the ranking
}

// Render renders as many of the best definitions as fit into a budget of tokens. It orders files by
// their best definition, and definitions by their lines. For a question, a few good answers are
// better than a full budget. So Render leaves out definitions whose share of the best score is
// below floor.
func Render(defs []Definition, budget int, floor float64) Map {
	if len(defs) > 0 && floor > 0 {
		n := slices.IndexFunc(defs, func(d Definition) bool { return d.Score < floor*defs[0].Score })
		if n > 0 {
			defs = defs[:n]
		}
	}
	low, high := 0, min(len(defs), MaxDefinitions(budget))
	text := ""
	var files []string
	for low < high { // finds the largest number of definitions that fits
		mid := (low + high + 1) / 2
		t, n := render(defs[:mid])
		if Tokens(t) <= budget {
			low, text, files = mid, t, n
		} else {
			high = mid - 1
		}
	}
	return Map{Text: text, Tokens: Tokens(text), Shown: low, Paths: files}
}

func render(defs []Definition) (string, []string) {
	var order []string
	byFile := make(map[string][]Definition)
	for _, d := range defs {
		p := d.Entry.Path
		if byFile[p] == nil {
			order = append(order, p)
		}
		byFile[p] = append(byFile[p], d)
	}
	var b strings.Builder
	for _, p := range order {
		b.WriteString(p + ":\n")
		list := byFile[p]
		slices.SortStableFunc(list, func(a, c Definition) int { return cmp.Compare(a.Symbol.StartLine, c.Symbol.StartLine) })
		for _, d := range list {
			y := d.Symbol
			fmt.Fprintf(&b, "  %s %s\n", Lines(y.StartLine, y.EndLine), short(cmp.Or(y.Signature, y.Name), y.Parent))
		}
	}
	return b.String(), order
}

func short(signature, parent string) string {
	if len(signature) > 110 {
		signature = strings.ToValidUTF8(signature[:110], "") + "…"
	}
	if parent != "" && !strings.HasPrefix(signature, "func (") {
		return parent + ": " + signature
	}
	return signature
}

// Lines formats a range of lines.
func Lines(from, to int) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}
