package kit

import (
	"fyne.io/fyne/v2"

	"goated/internal/safetext"
)

// Facts shows one row per pair of words. The words alternate between names and values. A value is
// shown without line feeds, so that it cannot look like another row.
func Facts(words ...string) fyne.CanvasObject {
	list := Vertical(6)
	wide := float32(76)
	for i := 0; i+1 < len(words); i += 2 {
		wide = max(wide, NewLabel(words[i], 13, ColorMuted).MinSize().Width+12)
	}
	for i := 0; i+1 < len(words); i += 2 {
		value := NewText(safetext.OneLine(words[i+1]), 13, 19, ColorText)
		value.Style.Monospace = true
		list.Add(Horizontal(0, value, Sized(wide, 19, NewLabel(words[i], 13, ColorMuted)), value))
	}
	return Boxed(NewPanel(ColorSoft, ColorNone, 10), Margin{Top: 11, Right: 14, Bottom: 11, Left: 14}, list)
}
