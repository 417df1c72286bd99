package kit

import (
	"fyne.io/fyne/v2"

	"goated/ui/richtext"
)

// The colours of text: links, syntax highlighting, and search results.
const (
	ColorLink    fyne.ThemeColorName = "goatedLink"
	colorKeyword fyne.ThemeColorName = "goatedKeyword"
	colorName    fyne.ThemeColorName = "goatedName"
	colorString  fyne.ThemeColorName = "goatedString"
	colorNumber  fyne.ThemeColorName = "goatedNumber"
	ColorFound   fyne.ThemeColorName = "goatedFound"    // each search result
	ColorHere    fyne.ThemeColorName = "goatedFoundOne" // the current search result
)

// textTint returns the light and the dark colour for one of these names.
func textTint(name fyne.ThemeColorName) (pair, bool) {
	switch name {
	case ColorLink:
		return pair{"#2F6B50", "#9CCBB0"}, true
	case colorKeyword:
		return pair{"#7A3E86", "#C9A0D6"}, true
	case colorName:
		return pair{"#2A5D8F", "#8DB9E0"}, true
	case colorString:
		return pair{"#37704F", "#9CCB9F"}, true
	case colorNumber:
		return pair{"#9A4E14", "#E0AE7C"}, true
	case ColorFound:
		return pair{"#F5E6B3", "#4E4422"}, true
	case ColorHere:
		return pair{"#EFC75E", "#8A6D1F"}, true
	}
	return pair{}, false
}

// ToneColor returns the colour for a tone.
func ToneColor(t richtext.Tone) fyne.ThemeColorName {
	return [...]fyne.ThemeColorName{
		richtext.ToneText: ColorText, richtext.ToneKeyword: colorKeyword, richtext.ToneName: colorName, richtext.ToneString: colorString,
		richtext.ToneNumber: colorNumber, richtext.ToneComment: ColorFaint, richtext.TonePunct: ColorMuted,
		richtext.ToneInserted: ColorGood, richtext.ToneDeleted: ColorBad,
	}[t]
}
