package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
)

// A tooltip appeared in the corner of the window if its button left the window before: a card
// under the pointer was drawn again. One that it had shown stayed.
func TestButtonThatLeftTheWindowHasNoTooltip(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(Theme{})
	clock := NewClock(func(f func()) { f() })
	tips := NewTooltips(clock)
	b := NewButton(Ghost, "pencil", "", nil)
	tips.Name(b, "Change how it starts", Shortcut{})
	card := Inset(Margin{Top: 60, Left: 80}, b)
	w := app.NewWindow("")
	defer w.Close()
	w.SetContent(card)
	w.Resize(fyne.NewSize(400, 300))
	hover := func() int {
		b.MouseIn(&desktop.MouseEvent{})
		clock.Tick(tooltipBeats)
		return len(tips.Layer.Objects)
	}
	if hover() != 1 {
		t.Fatal("a button of the window has no tooltip")
	}
	clock.Tick(tooltipBeats)
	if len(tips.Layer.Objects) != 1 {
		t.Fatal("the tooltip goes while its button stays")
	}
	card.Objects = nil
	if clock.Tick(tooltipBeats); len(tips.Layer.Objects) != 0 { // it stayed until the pointer moved
		t.Error("the tooltip stays after its button")
	}
	if hover() != 0 {
		t.Errorf("the tooltip of a button that is gone is at %v", tips.Layer.Objects[0].Position())
	}
}
