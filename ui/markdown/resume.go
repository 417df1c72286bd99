package markdown

import (
	"goated/ui/kit"
	"goated/ui/richtext"
)

// CommonPrefix is how many spans at the front are the same, and how many bytes of the
// next one.
func CommonPrefix(was, now []richtext.Span) (inner, bytes int) {
	n := min(len(was), len(now))
	for inner < n && was[inner] == now[inner] {
		inner++
	}
	if inner == n {
		return inner, 0
	}
	a, b := was[inner], now[inner]
	short := min(len(a.Text), len(b.Text))
	for bytes < short && a.Text[bytes] == b.Text[bytes] {
		bytes++
	}
	a.Text, b.Text = "", ""
	if a != b {
		return inner, 0
	}
	return inner, bytes
}

// resumable is the first of lines that is to be set again when spans are as they
// were up to a place: a line that another follows, and that ends before that
// place, changes no more.
func resumable[L any](lines []L, begin func(L) kit.Line, spans []richtext.Span, verbatim bool, inner, bytes int) int {
	lo, hi := 0, len(lines) // of the lines that begin no later than there
	for lo < hi {
		mid := (lo + hi) / 2
		if l := begin(lines[mid]); l.Span < inner || l.Span == inner && l.Off <= bytes {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	n := lo - 2
	// The room around code may be on either line.
	for ; n > 0; n-- {
		if l := begin(lines[n]); l.Span < len(spans) && (verbatim || l.Off == 0 || !spans[l.Span].Code) {
			return n
		}
	}
	return 0
}
