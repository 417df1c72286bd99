package kit

import (
	"fyne.io/fyne/v2"

	"goated/ui/typeset"
)

// Shape shapes a text that the window's typefaces do not cover, with the fonts that do. It
// returns nil if the typefaces cover the text, because then Fyne draws it, and nil without
// goated's theme. A negative level means that text is a paragraph of its own.
func Shape(text string, size float32, style fyne.TextStyle, level int) *typeset.Text {
	if text == "" || style.Symbol || (level < 0 || level%2 == 0) && FaceOf(text, style) != nil {
		return nil
	}
	l, ok := fyne.CurrentApp().Settings().Theme().(Theme)
	if !ok || l.Measure == nil {
		return nil
	}
	if level < 0 {
		return l.Measure.Setter.Line(Theme{}.Font(style), text, size, style)
	}
	return l.Measure.Setter.Run(Theme{}.Font(style), text, size, style, uint8(level))
}

// Shaped returns the shaped fragment if the window's typefaces do not cover it or if it runs from
// right to left. Otherwise it returns nil.
func (f Fragment) Shaped(size float32) *typeset.Text {
	if f.Level == 0 && typeset.IsPlain(f.Text) {
		return nil
	}
	return Shape(Shown(f.Text), RunSize(size, f.Code), f.Font, int(f.Level))
}
