package highlight

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"goated/ui/kit"
)

// A line without a width draws nothing. A palette creates 50 lines before its first layout, and
// each measured all prefixes of its text.
func TestALineWithoutAWidthDrawsNothing(t *testing.T) {
	test.NewTempApp(t)
	l := New(14)
	l.Set("Open the settings", []int{0, 5})
	r := test.TempWidgetRenderer(t, l)
	if n := len(r.Objects()); n > 0 {
		t.Errorf("%d objects before the first layout", n)
	}
	l.Resize(fyne.NewSize(300, 20))
	if got := drawn(r); got != "Open the settings" {
		t.Errorf("the line shows %q", got)
	}
}

// A truncated text keeps as many characters as fit.
func TestACutLineIsFull(t *testing.T) {
	test.NewTempApp(t)
	const text = "Open the settings of the whole window"
	l := New(14)
	l.Set(text, nil)
	r := test.TempWidgetRenderer(t, l)
	lengths := make(map[int]bool)
	for width := float32(20); width < 400; width++ {
		l.Resize(fyne.NewSize(width, 20))
		got := []rune(drawn(r))
		lengths[len(got)] = true
		kept := len(got)
		if string(got) == text {
			continue
		}
		kept-- // the ellipsis
		if string(got[kept:]) != "…" || string(got[:kept]) != text[:kept] {
			t.Fatalf("with width %g the line shows %q", width, string(got))
		}
		more, _ := kit.MeasureText(text[:kept+1]+"…", 14, fyne.TextStyle{})
		if size, _ := kit.MeasureText(string(got), 14, fyne.TextStyle{}); size.Width > width && kept > 0 || more.Width <= width {
			t.Errorf("with width %g the line shows %q, %g wide; one more is %g wide", width, string(got), size.Width, more.Width)
		}
	}
	if len(lengths) < 30 {
		t.Errorf("only %d different lengths", len(lengths))
	}
}

// drawn returns the text that a line draws.
func drawn(r fyne.WidgetRenderer) (text string) {
	for _, o := range r.Objects() {
		if t, ok := o.(*canvas.Text); ok {
			text += t.Text
		}
	}
	return text
}
