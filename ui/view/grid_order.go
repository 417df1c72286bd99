package view

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A sortKey is a cell in a comparable form. Numbers are compared by value and come before texts.
// Missing and null values come last.
type sortKey struct {
	class  int // 0 number, 1 text, 2 no value
	number float64
	text   string
}

func keyOf(c Cell) sortKey {
	switch {
	case c.Text == "" || c.Kind == NullNode:
		return sortKey{class: 2}
	case c.Kind == NumberNode:
		n, _ := strconv.ParseFloat(c.Text, 64) // infinite if the number is too large
		return sortKey{number: n, text: c.Text}
	}
	return sortKey{class: 1, text: strings.ToLower(c.Text)}
}

// Sorted returns the rows in the order of a column, in descending order if down is set. Equal
// rows keep their order. Rows without a value come last in both directions.
func (g *Grid) Sorted(rows []int, column int, down bool) []int {
	keys := make(map[int]sortKey, len(rows))
	for _, r := range rows {
		keys[r] = keyOf(g.Rows[r][column])
	}
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b int) int {
		x, y := keys[a], keys[b]
		if x.class == 2 || y.class == 2 {
			return cmp.Compare(x.class, y.class)
		}
		order := compareKeys(x, y)
		if down {
			return -order
		}
		return order
	})
	return out
}

// compareKeys compares two values. It compares all digits of numbers that are equal as float64.
func compareKeys(x, y sortKey) int {
	if order := cmp.Or(cmp.Compare(x.class, y.class), cmp.Compare(x.number, y.number)); order != 0 || x.text == y.text {
		return order
	}
	if x.class == 0 && max(len(x.text), len(y.text)) < 100 {
		a, okA := new(big.Rat).SetString(x.text)
		b, okB := new(big.Rat).SetString(y.text)
		if okA && okB {
			return a.Cmp(b)
		}
	}
	return strings.Compare(x.text, y.text)
}

// Matching returns the rows with a cell that contains words, ignoring case. Without words, it
// returns all rows.
func (g *Grid) Matching(words string) []int {
	words = Folded(strings.TrimSpace(words))
	var out []int
	for i, row := range g.Rows {
		if words == "" || slices.ContainsFunc(row, func(c Cell) bool { return containsFolded(c.Text, words) }) {
			out = append(out, i)
		}
	}
	return out
}
