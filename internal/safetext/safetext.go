// Package safetext shows text that another program wrote, so that it cannot look
// like something else. A server chooses its name, the names and descriptions of
// its tools, and every argument and result. Unicode lets it hide characters there,
// reverse their order, or begin a line that looks like goated's own.
//
// The package replaces each character that a reader cannot see by a mark such as
// ⟨U+202E⟩, and keeps the text of every script and every emoji. Window, terminal,
// sentences and log use it. It knows only text and keeps no state. All functions
// are safe for concurrent use.
package safetext

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxName is the greatest length of a [Name], in characters (code points).
const MaxName = 64

// Mark returns text with a mark such as ⟨U+202E⟩ in place of each hidden
// character. Line feeds and tabs stay, and invalid UTF-8 becomes U+FFFD. Mark
// is idempotent.
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

// OneLine is [Mark] with a blank in place of each line feed and tab.
func OneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, Mark(text))
}

// Name returns a server's name or title for a line of goated's: one line of at
// most [MaxName] characters, without blanks at its ends. A line feed or a tab is
// marked, because a name has none. An ellipsis ends a longer name.
func Name(text string) string { return Cut(text, MaxName) }

// Cut is [Name] with another limit of at least 1. It reads only the beginning of a
// long text, and never cuts a mark or a character with its accents in two.
func Cut(text string, most int) string {
	text = strings.TrimSpace(text)
	if ascii(text) && len(text) <= most && !strings.ContainsAny(text, "\n\t") {
		return text
	}
	var b strings.Builder
	n, fits := 0, 0 // characters in b, and the bytes of b that leave room for an ellipsis
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

// A Span is a part of a text: readable, or one hidden character.
type Span struct {
	Text   string // for the screen; the mark of a hidden character
	Hidden bool
}

// Spans splits a text like [Mark], so that a caller can draw its marks in a style
// of their own.
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

// Escape is [Mark] for JSON: a hidden character becomes an escape sequence of JSON,
// so that a program reads the same text. The text is JSON already, so control
// characters below U+0020 are blanks between its values and stay.
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

// Hidden counts the hidden characters of a text.
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

// Quote marks a text and begins each of its lines with prefix, so that none can
// look like a line of goated's. It has no line feed at its end.
func Quote(prefix, text string) string {
	text = strings.ReplaceAll(strings.TrimRight(Mark(text), "\n"), "\n", "\n"+prefix)
	return prefix + text
}

// A piece is a hidden character, or a readable one with everything that belongs to
// it: accents, variation selectors and joined emoji.
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

// ascii reports whether a text has only printable ASCII, line feeds and tabs.
func ascii(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' || c > '~') && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}
