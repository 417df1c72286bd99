package typeset

import (
	"unicode"

	"github.com/go-text/typesetting/language"
)

// emojiByDefault contains the characters below U+1F000 that are drawn in colour without a
// variation selector (Emoji_Presentation of Unicode 15).
var emojiByDefault = [][2]rune{
	{0x231A, 0x231B}, {0x23E9, 0x23EC}, {0x23F0, 0x23F0}, {0x23F3, 0x23F3}, {0x25FD, 0x25FE}, {0x2614, 0x2615}, {0x2648, 0x2653},
	{0x267F, 0x267F}, {0x2693, 0x2693}, {0x26A1, 0x26A1}, {0x26AA, 0x26AB}, {0x26BD, 0x26BE}, {0x26C4, 0x26C5}, {0x26CE, 0x26CE},
	{0x26D4, 0x26D4}, {0x26EA, 0x26EA}, {0x26F2, 0x26F3}, {0x26F5, 0x26F5}, {0x26FA, 0x26FA}, {0x26FD, 0x26FD}, {0x2705, 0x2705},
	{0x270A, 0x270B}, {0x2728, 0x2728}, {0x274C, 0x274C}, {0x274E, 0x274E}, {0x2753, 0x2755}, {0x2757, 0x2757}, {0x2795, 0x2797},
	{0x27B0, 0x27B0}, {0x27BF, 0x27BF}, {0x2B1B, 0x2B1C}, {0x2B50, 0x2B50}, {0x2B55, 0x2B55},
}

// isEmoji reports whether a cluster is drawn in colour.
func isEmoji(cluster []rune) bool {
	for _, r := range cluster[1:] {
		switch r {
		case 0xFE0F, 0x20E3:
			return true
		case 0xFE0E:
			return false
		}
	}
	r := cluster[0]
	if r >= 0x1F000 {
		return r < 0x20000
	}
	for _, e := range emojiByDefault {
		if r <= e[1] {
			return r >= e[0]
		}
	}
	return false
}

// ignorable reports whether a character is invisible, so that a font does not need a glyph for
// it.
func ignorable(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0000 && r <= 0xE0FFF || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) || r == 0x34F || r == 0x20E3
}

// scriptName returns the common name of a script, or "" if it has none.
func scriptName(s language.Script) string {
	names := map[language.Script]string{
		language.Arabic: "Arabic", language.Hebrew: "Hebrew", language.Han: "Chinese", language.Hiragana: "Japanese", language.Katakana: "Japanese",
		language.Hangul: "Korean", language.Thai: "Thai", language.Devanagari: "Devanagari", language.Bengali: "Bengali", language.Tamil: "Tamil",
		language.Telugu: "Telugu", language.Gujarati: "Gujarati", language.Gurmukhi: "Gurmukhi", language.Kannada: "Kannada", language.Malayalam: "Malayalam",
		language.Sinhala: "Sinhala", language.Khmer: "Khmer", language.Lao: "Lao", language.Myanmar: "Burmese", language.Tibetan: "Tibetan",
		language.Georgian: "Georgian", language.Armenian: "Armenian", language.Ethiopic: "Ethiopic", language.Cyrillic: "Cyrillic", language.Greek: "Greek", language.Latin: "Latin",
	}
	if name, ok := names[s]; ok {
		return name
	}
	return ""
}
