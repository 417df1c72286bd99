package kit

import (
	"math"
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Fyne's distance for one notch of a wheel, and the distance that goated scrolls for it: the 53
// pixels of GTK and of Chromium on Linux. On X11 a touchpad sends notches, too, for every 15
// pixels of the fingers, so that a longer way would run ahead of them. From 10 notches in one
// event Fyne accelerates by itself.
const (
	fyneNotch  = 25
	notch      = 53
	notchLimit = 10 * fyneNotch
)

// Wheel returns how far an event scrolls. Other distances than whole notches are those of the
// fingers on a touchpad and stay as they are. macOS accelerates wheels itself.
func Wheel(e *fyne.ScrollEvent) fyne.Delta {
	if runtime.GOOS == "darwin" {
		return e.Scrolled
	}
	return fyne.NewDelta(wheel(e.Scrolled.DX), wheel(e.Scrolled.DY))
}

func wheel(d float32) float32 {
	if math.Mod(float64(d), fyneNotch) != 0 || d <= -notchLimit || d >= notchLimit {
		return d
	}
	return d / fyneNotch * notch
}

// A Scroll is Fyne's scroller with the notches of [Wheel].
type Scroll struct{ container.Scroll }

// NewScroll returns a Scroll that scrolls content vertically.
func NewScroll(content fyne.CanvasObject) *Scroll {
	s := &Scroll{container.Scroll{Direction: container.ScrollVerticalOnly, Content: content}}
	s.ExtendBaseWidget(s)
	return s
}

// Scroller returns Fyne's scroller.
func (s *Scroll) Scroller() *container.Scroll { return &s.Scroll }

func (s *Scroll) Scrolled(e *fyne.ScrollEvent) { s.by(Wheel(e)) }

// By scrolls dy down, up to an end, as the user does.
func (s *Scroll) By(dy float32) { s.by(fyne.NewDelta(0, -dy)) }

func (s *Scroll) by(d fyne.Delta) { s.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: d}) }
