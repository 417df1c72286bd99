package typeset

import (
	"slices"

	"goated/ui/richtext"
)

// An Order contains the direction of each character of some spans. It is empty if there are no
// right-to-left letters.
type Order struct {
	levels []uint8
	rtl    []bool // for the paragraph of each character, and for the end
	first  int    // the first letter that may run from right to left
}

// Empty reports whether all of the text runs from left to right.
func (t Order) Empty() bool { return t.levels == nil }

// RTL reports whether the paragraph of character at runs from right to left.
func (t Order) RTL(at int) bool { return t.rtl != nil && t.rtl[min(at, len(t.rtl)-1)] }

// LeftToRight reports whether all text before character at runs from left to right.
func (t Order) LeftToRight(at int) bool { return t.Empty() || at <= t.first }

// ReadOrder determines the directions in spans. The text before the byte off of span n runs from
// left to right. Each line of the source is a paragraph. Code runs from left to right.
func ReadOrder(spans []richtext.Span, n, off int, code bool) (t Order) {
	rest := spans[min(n, len(spans)):]
	if !slices.ContainsFunc(rest, func(s richtext.Span) bool {
		from := off
		off = 0
		return HasRTL(s.Text[from:])
	}) {
		return t
	}
	base := Auto
	if code {
		base = LTR
	}
	text := []rune(richtext.PlainText(spans))
	t.first = slices.IndexFunc(text, mayBeRTL)
	for from := 0; from <= len(text); {
		to := from
		for to < len(text) && text[to] != '\n' {
			to++
		}
		levels, rtl := Levels(text[from:to], base)
		t.levels = append(t.levels, levels...)
		t.levels = append(t.levels, 0) // for the line feed, or the end
		t.rtl = append(t.rtl, slices.Repeat([]bool{rtl}, to-from+1)...)
		from = to + 1
	}
	return t
}

// Run returns the end of the longest prefix of w with a single level, and that level. at is the
// index of the first character of w.
func (t Order) Run(w string, at int) (end int, level uint8) {
	level = t.levels[min(at, len(t.levels)-1)]
	for i := range w {
		if i > 0 {
			at++
		}
		if at < len(t.levels) && t.levels[at] != level {
			return i, level
		}
	}
	return len(w), level
}
