// Package safetext shows text from other programs in such a way that it cannot look like something
// else. A server chooses its name, the names and descriptions of its tools, and all arguments and
// results. With Unicode it can hide characters in them, reverse their order, or begin a line that
// looks like goated's own.
//
// The package replaces each invisible character with a mark such as ⟨U+202E⟩, and keeps the text of
// every script and every emoji. The window, the terminal, the error messages and the log use it. It
// knows only text and keeps no state. All functions are safe for concurrent use.
package safetext

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxName is the maximum length of a [Name], in characters (code points).
const MaxName = 64

// Mark replaces each hidden character of a text with a mark such as ⟨U+202E⟩. It keeps line feeds
// and tabs, and turns invalid UTF-8 into U+FFFD. Mark is idempotent.
func Mark(text string) string {
	if ascii(text) {
		return text
	}
	var b strings.Builder
	for p := range pieces(text) {
		b.WriteString(p.shown(false))
	}
	return b.String()
}

// OneLine is like [Mark], but replaces each line feed and tab with a space.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, Mark(text))
}

// Name returns a server's name or title for use in one of goated's own lines. The result is one
// line of at most [MaxName] characters, without spaces at its ends. Name also marks line feeds and
// tabs, because a name should have none. A longer name is cut and ends with an ellipsis.
func Name(text string) string { return Cut(text, MaxName) }

// Cut is like [Name] with another maximum length, which must be at least 1. It reads only the
// beginning of a long text. It never splits a mark, nor a character from its accents.
func Cut(text string, most int) string {
	text = strings.TrimSpace(text)
	if ascii(text) && len(text) <= most && !strings.ContainsAny(text, "\n\t") {
		return text
	}
	var b strings.Builder
	n, fits := 0, 0 // the number of characters in b, and the length of b that leaves room for an ellipsis
	for p := range pieces(text) {
		s := p.shown(true)
		long := utf8.RuneCountInString(s)
		if n+long > most {
			return strings.TrimRight(b.String()[:fits], " ") + "…"
		}
		b.WriteString(s)
		if n += long; n < most {
			fits = b.Len()
		}
	}
	return b.String()
}

// A Span is a readable part of a text, or one hidden character.
type Span struct {
	Text   string // the text to show; for a hidden character, its mark
	Hidden bool
}

// Spans splits a text like [Mark], so that a caller can draw the marks in a separate style.
func Spans(text string) []Span {
	var out []Span
	var open strings.Builder // the readable text since the last hidden character
	end := func() {
		if open.Len() > 0 {
			out = append(out, Span{Text: open.String()})
			open.Reset()
		}
	}
	for p := range pieces(text) {
		s := p.shown(false)
		if !p.hidden {
			open.WriteString(s)
			continue
		}
		end()
		out = append(out, Span{s, true})
	}
	end()
	return out
}

// Escape is like [Mark] for JSON: it replaces a hidden character with a JSON escape sequence, so
// that a program reads the same text. Control characters below U+0020 stay, because in JSON they
// can only be whitespace between values.
func Escape(text string) string {
	if ascii(text) {
		return text
	}
	var b strings.Builder
	for p := range pieces(text) {
		r, _ := utf8.DecodeRuneInString(p.text)
		switch {
		case !p.hidden || r < ' ':
			b.WriteString(p.text)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Hidden returns the number of hidden characters in a text.
func Hidden(text string) int {
	if ascii(text) {
		return 0
	}
	n := 0
	for p := range pieces(text) {
		if p.hidden {
			n++
		}
	}
	return n
}

// Quote marks a text and puts prefix before each of its lines, so that none can look like a line of
// goated's. The result does not end with a line feed.
func Quote(prefix, text string) string {
	text = strings.ReplaceAll(strings.TrimRight(Mark(text), "\n"), "\n", "\n"+prefix)
	return prefix + text
}

// A piece is a hidden character, or a readable character with everything that belongs to it:
// accents, variation selectors and joined emoji.
type piece struct {
	text   string
	hidden bool
}

func (p piece) shown(oneLine bool) string {
	switch {
	case p.hidden:
		r, _ := utf8.DecodeRuneInString(p.text)
		return mark(r)
	case oneLine && (p.text == "\n" || p.text == "\t"):
		return mark(rune(p.text[0]))
	case p.text == string(utf8.RuneError) || !utf8.ValidString(p.text):
		return string(utf8.RuneError)
	}
	return p.text
}

func mark(r rune) string { return fmt.Sprintf("⟨U+%04X⟩", r) }

// ascii reports whether a text contains only printable ASCII, line feeds and tabs.
func ascii(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}
