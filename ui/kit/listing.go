package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// NewListing returns a sunken panel with text, below its name and a copy button.
func NewListing(name string, text *Paragraph, copied func()) *fyne.Container {
	title := NewLabel(name, 12, ColorFaint).Elided()
	button := NewButton(Ghost, "copy", "Copy", copied).Small()
	head := Inset(Margin{4, 5, 0, 14}, Horizontal(8, title, title, button))
	return Boxed(NewPanel(ColorSunken, ColorBorder, 10), Margin{},
		Vertical(0, head, Inset(Margin{2, 14, 12, 14}, text)))
}

// NewEmptyNote returns a note that is shown in place of an empty list.
func NewEmptyNote(icon, text string) fyne.CanvasObject {
	words := NewText(text, 13, 20, ColorMuted)
	return Boxed(NewPanel(ColorSunken, ColorNone, 12), Margin{16, 18, 16, 16},
		container.New(Row{Gap: 12, Flex: words, Top: true}, Sized(18, 20, NewIcon(icon, 18, ColorFaint)), words))
}
