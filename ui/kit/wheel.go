package kit

import (
	"math"
	"runtime"
	"time"

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

// touching is how long goated takes whole notches for the fingers on a touchpad after other distances. A
// touchpad sends its distances with each frame.
const touching = 300 * time.Millisecond

// A Wheel tells the notches of a wheel from fingers on a touchpad. Fyne gives only distances. Those of
// fingers are rarely whole notches, but one or the other of a gesture is. If it is the first, only the next one
// tells, so the Wheel takes back what it scrolled too far. The zero value is ready.
type Wheel struct {
	touched time.Time  // when fingers last scrolled
	notched time.Time  // when a distance last counted as notches
	extra   fyne.Delta // how much farther than the distance it scrolled
}

// Distance returns how far an event scrolls. The distances of fingers stay as they are. macOS accelerates
// wheels itself.
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

// shorten returns a distance without what was scrolled too far in its direction. The content waits for the
// fingers; it never moves against them.
func shorten(d float32, extra *float32) float32 {
	back := max(min(*extra, d), 0)
	if d < 0 {
		back = min(max(*extra, d), 0)
	}
	*extra -= back
	return d - back
}

// whole reports whether a distance is one of whole notches.
func whole(d float32) bool { return math.Mod(float64(d), fyneNotch) == 0 }

func notches(d float32) float32 {
	if d <= -notchLimit || d >= notchLimit {
		return d
	}
	return d / fyneNotch * notch
}

// A Scroll is Fyne's scroller with the notches of a [Wheel].
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

// By scrolls dy down, up to an end, as the user does.
func (s *Scroll) By(dy float32) { s.by(fyne.NewDelta(0, -dy)) }

func (s *Scroll) by(d fyne.Delta) { s.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: d}) }
