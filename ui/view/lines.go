package view

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"goated/ui/view/format"
)

// Lines are a text parted into rows for a typeface whose characters are all as
// wide: at line feeds, and after so many columns. They hold no copy of it, so
// ten megabytes of text have room. They are not changed once they are made.
type Lines struct {
	Text   string
	starts []int // where each row begins
	number []int // of its line, from 1; 0 where the line began in a row before
	count  int   // of lines
}

// NewLines parts text. It takes a while for many megabytes.
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

// advance walks so many columns, or to the end.
func advance(text string, at, columns int) int {
	if len(text)-at <= columns {
		if strings.IndexByte(text[at:], '\t') < 0 {
			return len(text) // the most common, and no character of it is looked at
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

// wideRune reports, roughly, whether a character takes two columns.
func wideRune(c rune) bool {
	return c <= 0x115F || c >= 0x2E80 && c <= 0xA4CF || c >= 0xAC00 && c <= 0xD7A3 ||
		c >= 0xF900 && c <= 0xFAFF || c >= 0xFE30 && c <= 0xFE6F || c >= 0xFF00 && c <= 0xFF60 ||
		c >= 0x1F300 && c <= 0x1FAFF || c >= 0x20000
}

// Len is the number of rows, and Count that of the text's own lines.
func (l *Lines) Len() int { return len(l.starts) }

// Count is the number of lines that the text itself has.
func (l *Lines) Count() int { return l.count }

// Number is the number of the line that begins in row i, or 0.
func (l *Lines) Number(i int) int { return l.number[i] }

// Span is where row i begins and ends in the text, without its line feed.
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

// At is the row that a place in the text is in.
func (l *Lines) At(place int) int {
	i, found := slices.BinarySearch(l.starts, place)
	if !found {
		i--
	}
	return max(i, 0)
}

// Shown is text as it can be drawn: tabs are blanks, and what can't be seen is a
// mark.
func Shown(text string) string {
	if !strings.ContainsFunc(text, unseen) && utf8.ValidString(text) {
		return text
	}
	text = strings.TrimSuffix(strings.ToValidUTF8(text, "\uFFFD"), "\r")
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7F {
			return '·'
		}
		return c
	}, strings.ReplaceAll(text, "\t", strings.Repeat(" ", tabWidth)))
}

// Pretty indents text that is JSON. ok is false if it is not, or already was.
func Pretty(text string) (pretty string, ok bool) {
	if !json.Valid([]byte(text)) {
		return text, false
	}
	pretty = indented(text)
	return pretty, pretty != text
}

// LineCount says how many lines there are.
func LineCount(n int) string { return format.Plural(n, "%[2]s line", "%[2]s lines", format.Count(n)) }
