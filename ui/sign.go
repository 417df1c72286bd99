package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A sign is a sentence over the composer, with a button.
type sign struct {
	root *fyne.Container
	text *prose
	more *button
	also *button // nil unless there are two
}

func newSign(tapped func()) *sign {
	return (&sign{text: newText("", 13, 19, colorMuted), more: newButton(outline, "key", "Add a key", tapped).small()}).hang("info", colorAccent)
}

// hang puts the parts of a sign together.
func (s *sign) hang(icon string, colour fyne.ThemeColorName) *sign {
	parts := []fyne.CanvasObject{newGlyph(icon, 15, colour), s.text}
	if s.also != nil {
		parts = append(parts, s.also)
	}
	s.root = boxed(newPanel(colorSoft, colorNone, 11), margin{8, 9, 8, 14},
		container.New(row{gap: 10, flex: s.text}, append(parts, s.more)...))
	return s
}

func (s *sign) say(text string) {
	s.text.setText(text)
	s.root.Hidden = text == ""
}
