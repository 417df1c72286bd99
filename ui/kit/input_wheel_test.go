package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// The mouse wheel over a field with several lines scrolls the page if the field has nothing to
// scroll. Otherwise it scrolls the field.
func TestWheelPassesThroughFields(t *testing.T) {
	a := test.NewTempApp(t)
	in := NewInput(NewClock(func(f func()) { f() }), "", true)
	s := NewScroller(Vertical(0, NewField(in), Sized(10, 3000, NewPanel(ColorNone, ColorNone, 0))))
	w := a.NewWindow("")
	w.SetContent(s.Root)
	w.Resize(fyne.NewSize(300, 300))
	defer w.Close()
	turn := func() {
		all := test.WidgetRenderer(in).Objects()
		all[len(all)-1].(fyne.Scrollable).Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -40)})
	}
	turn()
	if s.Scroll.Offset.Y != 40 {
		t.Errorf("the page is at %.0f, want 40", s.Scroll.Offset.Y)
	}
	in.SetText(strings.Repeat("line\n", 50))
	turn()
	if s.Scroll.Offset.Y != 40 {
		t.Errorf("the page moved to %.0f, not the field", s.Scroll.Offset.Y)
	}
}
