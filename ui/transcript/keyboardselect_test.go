package transcript

import (
	"image"
	"testing"

	"fyne.io/fyne/v2/theme"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
)

// The ring of a chosen message encloses its buttons.
func TestRingEnclosesTheButtons(t *testing.T) {
	d := newDesk(t)
	d.page.On.Edit = func(int) {}
	d.show(view.Chat{}.Say("the question").Apply(agent.TextDelta{Text: "The answer."}).Apply(agent.TurnEnded{Reason: agent.Done}), false)
	d.page.Keyboard.Choose(-1)
	d.page.Keyboard.Choose(-1)
	icon := d.PlaceOfIcon("pencil")
	img := d.Canvas().Capture()
	edge := accentBelow(img, int(icon.X)+8, int(icon.Y))
	if down := edge - int(icon.Y); down < 20 || down > 30 { // an icon is 16 pixels high
		t.Errorf("the edge of the ring is %d below the top of the button", down)
	}
}

// accentBelow returns the first pixel row below y that has the focus colour at x, or -1 if there
// is none.
func accentBelow(img image.Image, x, y int) int {
	r, g, b, _ := theme.Color(kit.ColorAccent).RGBA()
	for ; y < img.Bounds().Dy(); y++ {
		if p, q, s, _ := img.At(x, y).RGBA(); p>>8 == r>>8 && q>>8 == g>>8 && s>>8 == b>>8 {
			return y
		}
	}
	return -1
}
