package form

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// The height of a slider, and the width of its knob.
const (
	sliderHeight = 24
	knobSide     = 16
)

// A slider chooses one of stops+1 positions. It belongs to the UI goroutine.
type slider struct {
	widget.BaseWidget
	stops   int
	part    float64        // the position of the knob as a fraction; negative: no value
	moved   func(stop int) // the user moved it
	focused bool
}

func newSlider(stops int, moved func(int)) *slider {
	s := &slider{stops: stops, moved: moved, part: -1}
	s.ExtendBaseWidget(s)
	return s
}

// set moves the knob to a fraction of the way; a negative part means no value.
func (s *slider) set(part float64) {
	s.part = min(part, 1)
	s.Refresh()
}

// stop returns the position that is closest to the knob.
func (s *slider) stop() int { return int(max(s.part, 0)*float64(s.stops) + 0.5) }

func (s *slider) move(stop int) {
	stop = min(max(stop, 0), s.stops)
	s.set(float64(stop) / float64(s.stops))
	s.moved(stop)
}

func (s *slider) point(x float32) {
	if way := s.Size().Width - knobSide; way > 0 {
		s.move(int(float64(min(max((x-knobSide/2)/way, 0), 1))*float64(s.stops) + 0.5))
	}
}

func (s *slider) Tapped(e *fyne.PointEvent)     { s.point(e.Position.X) }
func (s *slider) Dragged(e *fyne.DragEvent)     { s.point(e.Position.X) }
func (s *slider) DragEnd()                      {}
func (s *slider) Cursor() desktop.Cursor        { return desktop.PointerCursor }
func (s *slider) FocusGained()                  { s.focused = true; s.Refresh() }
func (s *slider) FocusLost()                    { s.focused = false; s.Refresh() }
func (s *slider) TypedRune(r rune)              { kit.PassRune(s, r) }
func (s *slider) TypedShortcut(c fyne.Shortcut) { kit.PassShortcut(s, c) }

func (s *slider) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		s.move(s.stop() - 1)
	case fyne.KeyRight:
		s.move(s.stop() + 1)
	case fyne.KeyHome:
		s.move(0)
	case fyne.KeyEnd:
		s.move(s.stops)
	default:
		kit.PassKey(s, e)
	}
}

func (s *slider) MinSize() fyne.Size {
	s.ExtendBaseWidget(s)
	return fyne.NewSize(80, sliderHeight)
}

func (s *slider) CreateRenderer() fyne.WidgetRenderer {
	r := &sliderRenderer{s, kit.NewPanel(kit.ColorEdge, kit.ColorNone, 2), kit.NewPanel(kit.ColorPrimary, kit.ColorNone, 2), kit.NewPanel(kit.ColorSurface, kit.ColorPrimary, knobSide/2)}
	r.knob.Bold = true
	r.Refresh()
	return r
}

type sliderRenderer struct {
	s                 *slider
	track, done, knob *kit.Panel
}

func (r *sliderRenderer) Layout(size fyne.Size) {
	way := max(size.Width-knobSide, 0)
	at := way * float32(max(r.s.part, 0))
	kit.Place(r.track, knobSide/2, size.Height/2-2, way, 4)
	kit.Place(r.done, knobSide/2, size.Height/2-2, at, 4)
	kit.Place(r.knob, at, (size.Height-knobSide)/2, knobSide, knobSide)
}

func (r *sliderRenderer) MinSize() fyne.Size { return fyne.NewSize(80, sliderHeight) }

func (r *sliderRenderer) Refresh() {
	stroke := kit.ColorPrimary
	switch {
	case r.s.focused:
		stroke = kit.ColorAccent
	case r.s.part < 0:
		stroke = kit.ColorEdge
	}
	r.knob.Paint(kit.ColorSurface, stroke)
	r.knob.Refresh()
	r.Layout(r.s.Size())
}

func (r *sliderRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.track, r.done, r.knob}
}

func (r *sliderRenderer) Destroy() {}
