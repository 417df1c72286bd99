package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// newListing is text in a sunken panel, under its name and a button to copy it.
func newListing(name string, text *prose, copied func()) *fyne.Container {
	title := newLabel(name, 12, colorFaint).elided()
	button := newButton(ghost, "copy", "Copy", copied).small()
	head := inset(margin{4, 5, 0, 14}, horizontal(8, title, title, button))
	return boxed(newPanel(colorSunken, colorBorder, 10), margin{},
		vertical(0, head, inset(margin{2, 14, 12, 14}, text)))
}

// emptyNote stands where a list has nothing in it.
func emptyNote(icon, text string) fyne.CanvasObject {
	words := newText(text, 13, 20, colorMuted)
	return boxed(newPanel(colorSunken, colorNone, 12), margin{16, 18, 16, 16},
		container.New(row{gap: 12, flex: words, top: true}, sized(18, 20, newGlyph(icon, 18, colorFaint)), words))
}
