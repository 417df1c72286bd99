package view

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"goated/internal/safetext"
	"goated/ui/view/format"
)

// Lines is a text divided into rows for a monospaced font. A row ends at a line feed or after a
// number of columns. Lines does not copy the text, so it can handle ten megabytes. It is
// immutable.
type Lines struct {
	Text   string
	starts []int // the offset of each row
	number []int // the line number from 1; 0 if the line began in an earlier row
	count  int   // the number of lines
}

// NewLines divides text into rows. It is slow for many megabytes.
func NewLines(text string, columns int) *Lines {
	l := &Lines{Text: text}
	for at := 0; ; {
		end := strings.IndexByte(text[at:], '\n')
		stop := at + end
		if end < 0 {
			stop = len(text)
		}
		l.count++
		number := l.count
		for {
			l.starts, l.number = append(l.starts, at), append(l.number, number)
			if at = advance(text[:stop], at, columns); at >= stop {
				break
			}
			number = 0
		}
		if end < 0 {
			return l
		}
		at = stop + 1
	}
}

// advance returns the offset after the given number of columns, or the end of the text.
func advance(text string, at, columns int) int {
	if len(text)-at <= columns {
		if strings.IndexByte(text[at:], '\t') < 0 {
			return len(text) // the common case: no need to look at characters
		}
	}
	for used := 0; at < len(text); {
		c, n := utf8.DecodeRuneInString(text[at:])
		wide := 1
		switch {
		case c == '\t':
			wide = tabWidth
		case c >= 0x1100 && wideRune(c):
			wide = 2
		}
		if used += wide; used > columns {
			return at
		}
		at += n
	}
	return at
}

const tabWidth = 4

// wideRune reports whether a character is two columns wide. It is an approximation.
func wideRune(c rune) bool {
	return c <= 0x115F || c >= 0x2E80 && c <= 0xA4CF || c >= 0xAC00 && c <= 0xD7A3 ||
		c >= 0xF900 && c <= 0xFAFF || c >= 0xFE30 && c <= 0xFE6F || c >= 0xFF00 && c <= 0xFF60 ||
		c >= 0x1F300 && c <= 0x1FAFF || c >= 0x20000
}

// Len returns the number of rows.
func (l *Lines) Len() int { return len(l.starts) }

// Count returns the number of lines in the text.
func (l *Lines) Count() int { return l.count }

// Number returns the number of the line that begins in row i, or 0 if none does.
func (l *Lines) Number(i int) int { return l.number[i] }

// Span returns the start and end offset of row i in the text, without its line feed.
func (l *Lines) Span(i int) (start, end int) {
	start, end = l.starts[i], len(l.Text)
	if i+1 < len(l.starts) {
		end = l.starts[i+1]
		if l.number[i+1] > 0 {
			end-- // the line feed
		}
	}
	return start, end
}

// At returns the row that contains the byte offset place of the text.
func (l *Lines) At(place int) int {
	i, found := slices.BinarySearch(l.starts, place)
	if !found {
		i--
	}
	return max(i, 0)
}

// SingleLine returns text for drawing on one line. It replaces tabs by spaces and line feeds by dots,
// and marks hidden characters; see [safetext.Mark].
func SingleLine(text string) string {
	text = strings.TrimSuffix(text, "\r")
	if strings.Contains(text, "\t") {
		text = strings.ReplaceAll(text, "\t", strings.Repeat(" ", tabWidth))
	}
	return strings.ReplaceAll(safetext.Mark(text), "\n", "·")
}

// Pretty indents JSON. ok is false if text is not JSON or is already indented.
func Pretty(text string) (pretty string, ok bool) {
	if !json.Valid([]byte(text)) {
		return text, false
	}
	pretty = indented(text)
	return pretty, pretty != text
}

// LineCount formats a number of lines, for example "3 lines".
func LineCount(n int) string { return format.Plural(n, "%[2]s line", "%[2]s lines", format.Count(n)) }
