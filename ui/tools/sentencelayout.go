package tools

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// A sentenceLayout places an icon, the sentence of a server, and the row of its buttons. The buttons go
// below the sentence if it has less than least points beside them.
type sentenceLayout struct{ gap, least float32 }

// sizes returns the widths of the icon and of the sentence, and whether the buttons are below the
// sentence.
func (l sentenceLayout) sizes(o []fyne.CanvasObject, width float32) (icon, words float32, below bool) {
	icon = o[0].MinSize().Width
	words = max(width-icon-l.gap, 0)
	if beside := words - l.gap - o[2].MinSize().Width; beside >= l.least {
		return icon, beside, false
	}
	return icon, words, true
}

func (l sentenceLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	icon, words, below := l.sizes(o, size.Width)
	height, buttons := kit.HeightOf(o[1], words), o[2].MinSize()
	kit.Place(o[0], 0, 0, icon, o[0].MinSize().Height)
	kit.Place(o[1], icon+l.gap, 0, words, height)
	if below {
		kit.Place(o[2], size.Width-buttons.Width, height+l.gap, buttons.Width, buttons.Height)
		return
	}
	kit.Place(o[2], size.Width-buttons.Width, 0, buttons.Width, buttons.Height)
}

func (l sentenceLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	_, words, below := l.sizes(o, width)
	height, buttons := kit.HeightOf(o[1], words), o[2].MinSize().Height
	if below {
		return height + l.gap + buttons
	}
	return max(height, buttons)
}

func (l sentenceLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	width := max(o[0].MinSize().Width+l.gap+o[1].MinSize().Width, o[2].MinSize().Width)
	return fyne.NewSize(width, l.HeightFor(o, width))
}
