package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// A menu opens at its button even if Fyne has forgotten the position of the button. The button is
// in a scrolled part of the window.
func TestPositionOfAForgottenButton(t *testing.T) {
	app := test.NewTempApp(t)
	b := NewButton(Ghost, "more", "", nil)
	scroll := NewScroll(Vertical(0, Sized(1, 500, NewPanel(ColorNone, ColorNone, 0)), b))
	w := app.NewWindow("")
	defer w.Close()
	w.SetPadded(false)
	w.SetContent(Inset(Margin{Top: 30, Left: 40}, scroll))
	w.Resize(fyne.NewSize(300, 200))
	scroll.ScrollToOffset(fyne.NewPos(0, 400))
	inset, _ := w.Canvas().InteractiveArea() // Fyne's test driver measures positions from there
	want := PositionOf(b).Add(inset)
	fyne.SetCurrentApp(&forgetfulApp{app, []fyne.Window{w}})
	defer fyne.SetCurrentApp(app)
	if got := PositionOf(b); got != want || got.Y < 100 {
		t.Errorf("the button is at %v, and not at %v", got, want)
	}
}
