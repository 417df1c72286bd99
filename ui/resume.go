package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"goated/ui/view"
)

// resume begins with the lines of a text that this one goes on from, and returns
// what is still to be set: a line that another follows changes no more when text
// is added. If this is another text, all is to be set.
func (t *typeset) resume(o leaf, spans []view.Span) []view.Span {
	n := len(o.lines) - 1
	for n > 0 && !o.lines[n-1].closed(t.style.Monospace) {
		n--
	}
	if n < 1 || !goesOn(o.spans, spans) {
		return spans
	}
	at := o.lines[n].at
	seen := 0
	for i, s := range spans {
		if s.Code && !t.style.Monospace { // the room around code may be on either line
			return spans
		}
		length := utf8.RuneCountInString(s.Text)
		if seen+length > at || i == len(spans)-1 {
			s.Text = s.Text[byteOf(s.Text, at-seen):]
			t.lines, t.line, t.at = o.lines[:n:n], textLine{at: at}, at
			return append([]view.Span{s}, spans[i+1:]...)
		}
		seen += length
	}
	return spans
}

// goesOn reports whether now is was, with more after it.
func goesOn(was, now []view.Span) bool {
	last := len(was) - 1
	if last < 0 || last >= len(now) || !slices.Equal(was[:last], now[:last]) {
		return false
	}
	a, b := was[last], now[last]
	if !strings.HasPrefix(b.Text, a.Text) {
		return false
	}
	b.Text = a.Text
	return a == b
}

// byteOf is where in text the n-th character begins.
func byteOf(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// closed reports whether a line ends where text may be parted whatever follows:
// with a line feed, or between words.
func (l textLine) closed(verbatim bool) bool {
	n := 0
	for _, f := range l.parts {
		n += f.n
	}
	if n < l.end-l.at {
		return true // the line feed is of no part
	}
	return !verbatim && n > 0 && strings.HasSuffix(l.parts[len(l.parts)-1].text, " ")
}
