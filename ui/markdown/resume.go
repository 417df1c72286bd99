package markdown

import (
	"goated/ui/kit"
	"goated/ui/richtext"
)

// CommonPrefix returns the number of equal leading spans, and the number of equal leading bytes
// in the next span.
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

// resumable returns the first line that must be laid out again if the first inner spans, and the
// first bytes bytes of the next span, did not change. A line does not change if another line
// follows it and it ends before the change.
func resumable[L any](lines []L, begin func(L) kit.Line, spans []richtext.Span, verbatim bool, inner, bytes int) int {
	lo, hi := 0, len(lines) // the range of lines that begin before the change
	for lo < hi {
		mid := (lo + hi) / 2
		if l := begin(lines[mid]); l.Span < inner || l.Span == inner && l.Off <= bytes {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	n := lo - 2
	// The padding of inline code may be on either of the two lines.
	for ; n > 0; n-- {
		if l := begin(lines[n]); l.Span < len(spans) && (verbatim || l.Off == 0 || !spans[l.Span].Code) {
			return n
		}
	}
	return 0
}
