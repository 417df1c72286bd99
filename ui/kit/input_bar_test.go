package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// The scroll bar of a text that is longer than its field is on the border, not over the letters.
func TestBarOfALongTextLiesBelowIt(t *testing.T) {
	test.NewTempApp(t)
	in := NewInput(&Clock{}, "", false)
	w := test.NewTempWindow(t, NewField(in))
	w.Resize(fyne.NewSize(200, 40))
	in.SetText(strings.Repeat("a long command ", 20))
	for _, o := range test.WidgetRenderer(in).Objects() {
		if s, ok := o.(*container.Scroll); ok {
			if bottom := s.Position().Y + s.Size().Height; bottom < in.Size().Height+2 {
				t.Errorf("the bar ends at %v in a field of %v", bottom, in.Size().Height)
			}
			return
		}
	}
	t.Error("the field does not scroll")
}
