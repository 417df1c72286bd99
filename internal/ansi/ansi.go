// Package ansi removes everything from a text that a terminal would interpret. It knows only text,
// and keeps no state.
package ansi

import (
	"strings"
	"unicode/utf8"
)

// Strip removes the control sequences of ISO 6429 and of xterm (colours, cursor, erasing, window
// title, clipboard, links) and all control characters except tab and newline. Invalid UTF-8 becomes
// U+FFFD. A carriage return within a line becomes a space. goated passes every text of a server or
// tool through Strip before it prints or stores the text.
func Strip(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, isControl) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		rest := text[n:]
		if r == esc && rest != "" && rest[0] >= '@' && rest[0] <= '_' { // a C1 control as two bytes
			r, rest = rune(rest[0])+0x40, rest[1:]
		}
		switch {
		case !isControl(r):
			b.WriteRune(r) // U+FFFD for invalid bytes
		case r == esc: // intermediate bytes and a final byte, for example to choose a character set
			rest = strings.TrimLeft(rest, intermediates)
			if rest != "" && rest[0] >= '0' && rest[0] <= '~' {
				rest = rest[1:]
			}
		case r == csi:
			rest = strings.TrimLeft(strings.TrimLeft(rest, "0123456789:;<=>?"), intermediates)
			if rest != "" && rest[0] >= '@' && rest[0] <= '~' {
				rest = rest[1:]
			}
		case r == dcs, r == sos, r == osc, r == pm, r == apc:
			rest = rest[stringLen(rest):]
		case r == '\r' && rest != "" && rest[0] != '\n': // the text after it would overwrite the line
			b.WriteByte(' ')
		}
		text = rest
	}
	return b.String()
}

// These are the control characters of ISO 6429, which are one character or ESC and a second
// character.
const (
	bel = '\a'
	esc = '\x1b'
	dcs = 0x90
	sos = 0x98
	csi = 0x9b
	st  = 0x9c
	osc = 0x9d
	pm  = 0x9e
	apc = 0x9f

	intermediates = " !\"#$%&'()*+,-./"
)

func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r <= apc
}

// stringLen returns the length of a control string, up to its terminator. Without a terminator, the
// string ends with its line.
func stringLen(text string) int {
	for i, r := range text {
		switch {
		case r == '\n':
			return i
		case r == bel, r == st:
			return i + utf8.RuneLen(r)
		case r == esc:
			if strings.HasPrefix(text[i+1:], `\`) {
				return i + 2
			}
			return i // a new sequence also ends the string
		}
	}
	return len(text)
}
