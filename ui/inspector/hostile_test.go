package inspector_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

// drawn returns the texts of an object as the screen shows them. A text in other scripts is hidden,
// because the shaper draws it.
func drawn(o fyne.CanvasObject) (all []string) {
	var inner []fyne.CanvasObject
	switch o := o.(type) {
	case *canvas.Text:
		return []string{o.Text}
	case *fyne.Container:
		inner = o.Objects
	case fyne.Widget:
		inner = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inner {
		if _, text := child.(*canvas.Text); text || child.Visible() {
			all = append(all, drawn(child)...)
		}
	}
	return all
}

// Text of a server cannot leave its row, and cannot imitate a row.
func TestHostileTextStaysInItsRow(t *testing.T) {
	d := newDesk(t, false, fyne.NewSize(1020, 840))
	d.add("mail", false, d.Now, `{"jsonrpc":"2.0","id":7,"method":"a\u202eb\nc`+strings.Repeat("x", 10_000)+`","params":{"name":"\u0000","long":"`+strings.Repeat(`\n`, 20_000)+`"}}`)
	d.add("mail", false, d.Now, "\x1b[31mred\x1b[0m\x00\xff")
	d.add("mail", false, d.Now, strings.Repeat("[", 60_000))
	d.Until("the messages are listed", func() bool { return d.Says("3 messages") })
	contained := func(view string) {
		t.Helper()
		for _, text := range drawn(d.Canvas().Content()) {
			if strings.ContainsAny(text, "\u202e\x1b\x00\n") {
				t.Errorf("%s: the screen shows %q", view, text)
			}
		}
		if off := d.Misfits(); len(off) > 0 {
			t.Errorf("%s: %q", view, off)
		}
	}
	contained("list")
	for range 3 {
		d.Key(fyne.KeyDown)
		d.Press("Raw")
		contained("raw")
		d.Press("Pretty")
		contained("pretty")
	}
	d.Look("inspector-hostile")
}
