package client

import (
	"strings"
	"unicode/utf8"
)

// Plain is a text without what a terminal would obey: sequences that colour,
// erase, move, name the window or reach the clipboard, and control characters
// but tab and newline. What servers and tools write goes through it wherever it
// is printed or kept for people.
func Plain(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, controls) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		rest := text[n:]
		if r == esc && rest != "" && rest[0] >= '@' && rest[0] <= '_' { // as two characters
			r, rest = rune(rest[0])+0x40, rest[1:]
		}
		switch {
		case !controls(r):
			b.WriteRune(r) // and U+FFFD for what is no text
		case r == esc: // intermediates and one final, such as those of character sets
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
			rest = rest[ending(rest):]
		case r == '\r' && rest != "" && rest[0] != '\n': // what was to be written over
			b.WriteByte(' ')
		}
		text = rest
	}
	return b.String()
}

// Control characters by ISO 6429: those of one byte, or of ESC and another.
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

func controls(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' || r >= 0x7f && r <= apc
}

// ending is how long a string for the terminal is, to its terminator or, since
// that may be missing, to the end of the line.
func ending(text string) int {
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
			return i // which ends it, too
		}
	}
	return len(text)
}
