package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// covered lists the ranges that all of the window's own typefaces contain: the letters of
// European languages and Vietnamese, and common symbols.
var covered = [][2]rune{
	{0x20, 0x7E}, {0xA0, 0x131}, {0x134, 0x148}, {0x14A, 0x17F}, // Latin
	{0x38E, 0x3A1}, {0x3A3, 0x3CF}, // Greek
	{0x401, 0x40C}, {0x40E, 0x44F}, {0x451, 0x45C}, // Cyrillic
	{0x1EA0, 0x1EF9}, // Vietnamese
	{0x2013, 0x2014}, {0x2018, 0x201A}, {0x201C, 0x201E}, {0x2020, 0x2022}, {0x2026, 0x2026}, {0x2030, 0x2030},
	{0x2039, 0x203A}, {0x20AC, 0x20AC}, {0x2122, 0x2122}, {0x2190, 0x2199},
	{0x2212, 0x2212}, {0x2248, 0x2248}, {0x2260, 0x2260}, {0x2264, 0x2265},
}

// FaceOf returns the typeface for text, or nil if text may need fallback fonts. Fyne loads the
// fallback fonts for each style. Its own typeface, all emoji and one system font take 10 MB and
// 10 ms per style. Most texts never need them.
func FaceOf(text string, style fyne.TextStyle) fyne.Resource {
	if style.Symbol {
		return nil
	}
	for _, r := range text {
		if !isCovered(r) {
			return nil
		}
	}
	return Theme{}.Font(style)
}

// LoadFonts makes Fyne load the fallback fonts of the regular style, which every input field
// needs. That takes as long as the rest of the window's startup, so the caller runs it
// concurrently. It may run on any goroutine after the theme is set.
func LoadFonts() { fyne.MeasureText("x", theme.TextSize(), fyne.TextStyle{}) }

func isCovered(r rune) bool {
	for _, c := range covered {
		if r <= c[1] {
			return r >= c[0]
		}
	}
	return false
}
