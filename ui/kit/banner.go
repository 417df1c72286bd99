package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A Banner is a sentence above the composer, with one or two buttons.
type Banner struct {
	Root *fyne.Container
	Text *Paragraph
	More *Button
	Also *Button // nil if there is only one button
}

// NewBanner returns a banner with a button that adds an API key.
func NewBanner(tapped func()) *Banner {
	return (&Banner{Text: NewText("", 13, 19, ColorMuted), More: NewButton(Outline, "key", "Add a key", tapped).Small()}).Build("info", ColorAccent, ColorSoft)
}

// Build builds Root from an icon, a background colour and the other fields.
func (s *Banner) Build(icon string, colour, ground fyne.ThemeColorName) *Banner {
	parts := []fyne.CanvasObject{NewIcon(icon, 15, colour), s.Text}
	if s.Also != nil {
		parts = append(parts, s.Also)
	}
	s.Root = Boxed(NewPanel(ground, ColorNone, 11), Margin{8, 9, 8, 14},
		container.New(Row{Gap: 10, Flex: s.Text}, append(parts, s.More)...))
	return s
}

// Say sets the text. An empty text hides the banner.
func (s *Banner) Say(text string) {
	s.Text.SetText(text)
	s.Root.Hidden = text == ""
}
