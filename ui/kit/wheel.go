package kit

import (
	"math"
	"runtime"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Fyne's distance for one notch of a mouse wheel, and the distance that goated scrolls for it: 53
// pixels, as in GTK and in Chromium on Linux. On X11 a touchpad sends notches too, one for every
// 15 pixels that the fingers move. A longer distance would run ahead of the fingers. From 10
// notches in one event on, Fyne accelerates by itself.
const (
	fyneNotch  = 25
	notch      = 53
	notchLimit = 10 * fyneNotch
)

// touching is how long after other distances the Wheel attributes whole notches to fingers on a
// touchpad. A touchpad sends its distances in every frame.
const touching = 300 * time.Millisecond

// A Wheel distinguishes the notches of a mouse wheel from fingers on a touchpad. Fyne reports
// only distances. The distances of fingers are rarely whole notches, but single distances of a
// gesture can be. If the first distance is a whole notch, only the next one shows that it came
// from fingers, so the Wheel then takes back what it scrolled too far. The zero value is ready to
// use.
type Wheel struct {
	touched time.Time  // when fingers last scrolled
	notched time.Time  // when a distance was last treated as notches
	extra   fyne.Delta // how much farther than the reported distances it scrolled
}

// Distance returns how far an event scrolls. It does not change the distances of fingers. It
// changes nothing on macOS, which accelerates wheels itself.
func (w *Wheel) Distance(e *fyne.ScrollEvent) fyne.Delta {
	d := e.Scrolled
	if runtime.GOOS == "darwin" {
		return d
	}
	now := time.Now()
	if whole(d.DX) && whole(d.DY) && now.Sub(w.touched) >= touching {
		far := fyne.NewDelta(notches(d.DX), notches(d.DY))
		w.notched, w.extra = now, fyne.NewDelta(far.DX-d.DX, far.DY-d.DY)
		return far
	}
	w.touched = now
	if now.Sub(w.notched) < touching {
		return fyne.NewDelta(shorten(d.DX, &w.extra.DX), shorten(d.DY, &w.extra.DY))
	}
	return d
}

// shorten returns a distance minus the extra distance that was already scrolled in its direction.
// The content waits for the fingers and never moves against them.
func shorten(d float32, extra *float32) float32 {
	back := max(min(*extra, d), 0)
	if d < 0 {
		back = min(max(*extra, d), 0)
	}
	*extra -= back
	return d - back
}

// whole reports whether a distance consists of whole notches.
func whole(d float32) bool { return math.Mod(float64(d), fyneNotch) == 0 }

func notches(d float32) float32 {
	if d <= -notchLimit || d >= notchLimit {
		return d
	}
	return d / fyneNotch * notch
}

// A Scroll is Fyne's scroller with the wheel distances of a [Wheel].
type Scroll struct {
	container.Scroll
	wheel Wheel
}

// NewScroll returns a Scroll that scrolls content vertically.
func NewScroll(content fyne.CanvasObject) *Scroll {
	s := &Scroll{Scroll: container.Scroll{Direction: container.ScrollVerticalOnly, Content: content}}
	s.ExtendBaseWidget(s)
	return s
}

// Scroller returns Fyne's scroller.
func (s *Scroll) Scroller() *container.Scroll { return &s.Scroll }

func (s *Scroll) Scrolled(e *fyne.ScrollEvent) { s.by(s.wheel.Distance(e)) }

// By scrolls down by dy, at most to the end, as the user does.
func (s *Scroll) By(dy float32) { s.by(fyne.NewDelta(0, -dy)) }

func (s *Scroll) by(d fyne.Delta) { s.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: d}) }
