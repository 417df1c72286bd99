package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A Gravity is how dangerous the effect is that a pill names.
type Gravity int

// The gravities.
const (
	Harmless Gravity = iota
	Careful
	Dangerous
)

// NewPill returns a word on a rounded background. The colours show the gravity.
func NewPill(text string, g Gravity) fyne.CanvasObject {
	ground, ink := ColorBubble, ColorMuted
	switch g {
	case Careful:
		ground, ink = ColorWarnSoft, ColorWarn
	case Dangerous:
		ground, ink = ColorBadSoft, ColorBad
	case Harmless:
	}
	label := NewLabel(text, 12, ink).Medium()
	label.Centre = true
	return container.New(Fixed{Min: fyne.NewSize(label.MinSize().Width+16, 20)}, NewPanel(ground, ColorNone, 10), label)
}
