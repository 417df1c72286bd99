package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// chipSize is that of every chip. Names are cut to fit it.
func chipSize() fyne.Size { return fyne.NewSize(216, 50) }

// newChip shows an attachment. Where removed is not nil it has a cross.
func newChip(a view.Attachment, removed func()) *fyne.Container {
	var mark fyne.CanvasObject
	switch {
	case a.Preview != nil:
		img := canvas.NewImageFromImage(a.Preview)
		img.FillMode = canvas.ImageFillCover
		img.CornerRadius = 7
		mark = sized(38, 38, img)
	case a.Image():
		mark = sized(38, 38, boxed(newPanel(colorSoft, colorNone, 7), margin{}, newGlyph("image", 18, colorAccent)))
	default:
		icon := "file"
		if strings.HasPrefix(a.Type, "audio/") {
			icon = "sound"
		}
		mark = sized(38, 38, boxed(newPanel(colorSoft, colorNone, 7), margin{}, newGlyph(icon, 18, colorAccent)))
	}
	words := vertical(1, newLabel(a.Name, 13, colorText).elided(), newLabel(a.Kind(), 11, colorFaint).elided())
	parts := []fyne.CanvasObject{mark, words}
	if removed != nil {
		parts = append(parts, newButton(ghost, "close", "", removed).small())
	}
	inner := container.New(row{gap: 10, flex: words}, parts...)
	return container.New(fixed{chipSize()}, boxed(newPanel(colorSurface, colorBorder, 12), margin{6, 6, 6, 6}, inner))
}
