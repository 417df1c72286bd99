package typeset

import (
	"strings"
	"unicode"
)

// Words yields the pieces between which a line may break: words and blanks, each character of
// scripts without blanks, and line feeds. A line of verbatim text is one piece, because it may
// break anywhere.
func Words(text string, verbatim bool, yield func(string)) {
	start, kind := 0, 0
	flush := func(end int) {
		if end > start {
			yield(text[start:end])
		}
		start = end
	}
	for i, r := range text {
		if i > start && r >= 0x300 && Joins(r) {
			continue
		}
		k := 1
		switch {
		case r == '\n':
			k = 2
		case verbatim:
		case r < 0x2E80:
			if unicode.IsSpace(r) && r != 0xA0 {
				k = 4
			}
		case (kind == 1 || kind == 3) && strings.ContainsRune("。、，．！？：；）」』】》〉〕ー…", r):
			continue // may not begin a line
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			k = 3
		}
		if k != kind || k == 2 || k == 3 {
			flush(i)
		}
		kind = k
	}
	flush(len(text))
}

// Joins reports whether a character belongs to the previous one.
func Joins(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200D || r >= 0x1F3FB && r <= 0x1F3FF
}

// IsPlain reports whether text is printable ASCII. The monospaced typeface covers it with a fixed
// width.
func IsPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
