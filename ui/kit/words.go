package kit

import (
	"strings"
	"unicode"

	"goated/internal/safetext"
)

// Shown returns text for drawing. It expands tabs, drops line feeds, and marks every
// other character that nobody sees, which can make one name look like another; see
// [safetext.Mark].
func Shown(text string) string {
	if strings.IndexByte(text, '\t') >= 0 {
		text = strings.ReplaceAll(text, "\t", "    ")
	}
	if plainLetters(text) {
		return text
	}
	return safetext.Mark(lineEnds.Replace(text))
}

// lineEnds drops the ends of lines, which the layout has drawn as such.
var lineEnds = strings.NewReplacer("\n", "", "\r", "")

// Words yields the pieces between which a line may break: words and blanks, each
// character of scripts without blanks, and line feeds. A line of verbatim text is
// one piece, since it breaks anywhere.
func Words(text string, verbatim bool, yield func(string)) {
	start, kind := 0, 0
	flush := func(end int) {
		if end > start {
			yield(text[start:end])
		}
		start = end
	}
	for i, r := range text {
		if i > start && r >= 0x300 && joins(r) {
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

// joins reports whether a character belongs to the one before it.
func joins(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || r == 0x200D || r >= 0x1F3FB && r <= 0x1F3FF
}
