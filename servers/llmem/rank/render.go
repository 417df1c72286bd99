package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Tokens estimates the tokens of a text: about 3.5 bytes of code each.
func Tokens(s string) int { return (len(s)*2 + 6) / 7 }

// MostIn returns how many definitions a budget of tokens has room for at most: each takes at
// least 4.
func MostIn(budget int) int { return budget/4 + 1 }

// A Map is a rendered part of a ranking.
type Map struct {
	Text   string
	Tokens int
	Shown  int      // definitions
	Paths  []string // the files
	Total  int      // definitions of the ranking
}

// Render writes as many of the best definitions as fit into a budget of tokens. Files
// come in the order of their best definition, definitions in the order of their lines.
// For a question, few good answers are better than a full budget: definitions below
// floor, as a share of the best score, are left out.
func Render(defs []Definition, budget int, floor float64) Map {
	if len(defs) > 0 && floor > 0 {
		n := slices.IndexFunc(defs, func(d Definition) bool { return d.Score < floor*defs[0].Score })
		if n > 0 {
			defs = defs[:n]
		}
	}
	low, high := 0, min(len(defs), MostIn(budget))
	text := ""
	var files []string
	for low < high { // the largest number of definitions that fits
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

// Lines writes a range of lines.
func Lines(from, to int) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}
