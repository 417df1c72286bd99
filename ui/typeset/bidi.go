package typeset

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// A Base is the direction of a paragraph.
type Base int

// The directions. Auto uses the direction of the first letter.
const (
	Auto Base = iota
	LTR
	RTL
)

// HasRTL reports whether text may contain right-to-left letters. It is fast, because most texts
// contain none.
func HasRTL(text string) bool {
	for i := range len(text) {
		// U+0590 begins with 0xD6, and the Arabic presentation forms with 0xEF.
		if text[i] < 0xD6 {
			continue
		}
		return strings.ContainsFunc(text[i:], mayBeRTL)
	}
	return false
}

// mayBeRTL reports whether r is in a block of right-to-left letters.
func mayBeRTL(r rune) bool {
	return r >= 0x590 && (r < 0x900 || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00 || r >= 0x10800 && r < 0x11000 || r >= 0x1E800 && r < 0x1F000)
}

// Levels returns the embedding level of each character of a paragraph, and whether the paragraph
// runs from right to left (Unicode Annex 9). It does not support explicit embeddings, because
// [goated/internal/safetext] replaces these characters by visible marks.
func Levels(text []rune, base Base) (levels []uint8, rtl bool) {
	types := make([]bidi.Class, len(text))
	for i, r := range text {
		p, _ := bidi.LookupRune(r)
		types[i] = p.Class()
		if strong := types[i] == bidi.R || types[i] == bidi.AL; base == Auto && (strong || types[i] == bidi.L) {
			base = LTR
			if strong {
				base = RTL
			}
		}
	}
	rtl = base == RTL
	whole := bidi.L
	if rtl {
		whole = bidi.R
	}
	weak(types, whole)
	brackets(text, types, whole)
	neutral(types, whole)
	levels = make([]uint8, len(text))
	for i, t := range types {
		switch {
		case rtl && t == bidi.R:
			levels[i] = 1
		case rtl, t == bidi.EN, t == bidi.AN:
			levels[i] = 2
		case t == bidi.R:
			levels[i] = 1
		}
	}
	return levels, rtl
}

// weak resolves marks and numbers (rules W1 to W7).
func weak(types []bidi.Class, whole bidi.Class) {
	before, strong := whole, whole
	for i, t := range types {
		switch t {
		case bidi.NSM, bidi.BN:
			t = before
		case bidi.EN:
			if strong == bidi.AL {
				t = bidi.AN
			}
		case bidi.L, bidi.R, bidi.AL:
			strong = t
		case bidi.B, bidi.S, bidi.WS, bidi.ES, bidi.ET, bidi.CS, bidi.AN:
		default:
			t = bidi.ON
		}
		types[i], before = t, t
	}
	for i, t := range types {
		if t == bidi.AL {
			types[i] = bidi.R
		}
		if i == 0 || i == len(types)-1 || types[i-1] != types[i+1] {
			continue
		}
		if number := types[i-1]; number == bidi.EN && (t == bidi.ES || t == bidi.CS) || number == bidi.AN && t == bidi.CS {
			types[i] = number
		}
	}
	for from := 0; from < len(types); from++ { // W5
		if types[from] != bidi.ET {
			continue
		}
		to := from
		for to < len(types) && types[to] == bidi.ET {
			to++
		}
		if from > 0 && types[from-1] == bidi.EN || to < len(types) && types[to] == bidi.EN {
			for i := range types[from:to] {
				types[from+i] = bidi.EN
			}
		}
		from = to - 1
	}
	strong = whole
	for i, t := range types {
		switch t {
		case bidi.ES, bidi.ET, bidi.CS:
			types[i] = bidi.ON
		case bidi.L, bidi.R:
			strong = t
		case bidi.EN:
			if strong == bidi.L {
				types[i] = bidi.L
			}
		}
	}
}

// strongOf returns the direction that a type gives to its neighbours, or ON if it has none.
func strongOf(t bidi.Class) bidi.Class {
	switch t {
	case bidi.L:
		return bidi.L
	case bidi.R, bidi.EN, bidi.AN:
		return bidi.R
	}
	return bidi.ON
}

// closers maps opening brackets to closing brackets.
var closers = map[rune]rune{'(': ')', '[': ']', '{': '}', '〈': '〉', '《': '》', '「': '」', '『': '』', '【': '】', '（': '）', '［': '］', '⟨': '⟩', '༺': '༻'}

// brackets gives both brackets of a pair the same direction (rule N0).
func brackets(text []rune, types []bidi.Class, whole bidi.Class) {
	type pair struct{ from, to int }
	var open []int
	var pairs []pair
	for i, r := range text {
		if types[i] != bidi.ON {
			continue
		}
		if _, ok := closers[r]; ok {
			if len(open) == 63 { // the limit in the rule
				break
			}
			open = append(open, i)
			continue
		}
		for k := len(open) - 1; k >= 0; k-- {
			if closers[text[open[k]]] == r {
				pairs = append(pairs, pair{open[k], i})
				open = open[:k]
				break
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int { return a.from - b.from })
	for _, p := range pairs {
		found := bidi.ON
		for _, t := range types[p.from+1 : p.to] {
			if s := strongOf(t); s == whole {
				found = whole
				break
			} else if s != bidi.ON {
				found = s
			}
		}
		if found == bidi.ON {
			continue
		}
		if found != whole {
			around := whole
			for i := p.from - 1; i >= 0; i-- {
				if s := strongOf(types[i]); s != bidi.ON {
					around = s
					break
				}
			}
			found = around
		}
		types[p.from], types[p.to] = found, found
	}
}

// neutral gives blanks and signs the direction of their surroundings (rules N1 and N2).
func neutral(types []bidi.Class, whole bidi.Class) {
	for from := 0; from < len(types); from++ {
		if strongOf(types[from]) != bidi.ON {
			continue
		}
		to := from
		for to < len(types) && strongOf(types[to]) == bidi.ON {
			to++
		}
		before, after := whole, whole
		if from > 0 {
			before = strongOf(types[from-1])
		}
		if to < len(types) {
			after = strongOf(types[to])
		}
		if before != after {
			before = whole
		}
		for i := range types[from:to] {
			types[from+i] = before
		}
		from = to - 1
	}
}

// Visual returns the visual order, from the left, of runs with these levels (rule L2).
func Visual(levels []uint8) []int {
	order := make([]int, len(levels))
	top := uint8(0)
	for i, l := range levels {
		order[i], top = i, max(top, l)
	}
	for level := top; level > 0; level-- {
		for from := 0; from < len(order); from++ {
			to := from
			for to < len(order) && levels[order[to]] >= level {
				to++
			}
			slices.Reverse(order[from:to])
			from = max(from, to-1)
		}
	}
	return order
}
