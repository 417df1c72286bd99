package kit

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// A notch of the wheel scrolled 25 px; other programs on Linux scroll 53. The distances of a
// touchpad, and those that Fyne has accelerated, do not change.
func TestNotchScrollsAsInOtherPrograms(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS accelerates wheels itself")
	}
	a := test.NewTempApp(t)
	s := NewScroller(Sized(10, 100_000, NewPanel(ColorNone, ColorNone, 0)))
	w := a.NewWindow("")
	w.SetContent(s.Root)
	w.Resize(fyne.NewSize(300, 300))
	defer w.Close()
	for _, c := range []struct{ by, want float32 }{{25, 53}, {75, 159}, {2.5, 2.5}, {25, 25}, {61, 61}, {31250, 31250}} {
		s.Scroll.Offset.Y = 0
		if c.by == 2.5 {
			s.Scroll.wheel = Wheel{} // the user last touched the wheel a while ago
		}
		s.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -c.by)})
		if s.Scroll.Offset.Y != c.want {
			t.Errorf("a distance of %g scrolls by %g, want %g", c.by, s.Scroll.Offset.Y, c.want)
		}
	}
	s.Scroll.Offset.Y = 0
	if s.Scroll.By(25); s.Scroll.Offset.Y != 25 {
		t.Errorf("By(25) scrolls by %g", s.Scroll.Offset.Y)
	}
}

// A finger that scrolled exactly 25 px made the page jump by 53. Fyne reports only distances, so
// the distances before and after distinguish a touchpad from a wheel.
func TestFingersAreNoNotches(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS accelerates wheels itself")
	}
	synctest.Test(t, func(t *testing.T) {
		var w Wheel
		for _, c := range []struct {
			after    time.Duration
			by, want float32
		}{
			{0, 25, 53},
			{16 * time.Millisecond, 50, 106}, // a fast wheel
			{time.Second, 24.6, 24.6},
			{16 * time.Millisecond, 25, 25},
			{200 * time.Millisecond, -50, -50},
			{200 * time.Millisecond, 25, 25},
			{time.Second, 25, 53},   // the user turns the wheel
			{time.Second, -25, -53}, // the first distance of fingers, as the next one shows
			{16 * time.Millisecond, -20, 0},
			{16 * time.Millisecond, 3, 3},
			{16 * time.Millisecond, -25, -17},
			{16 * time.Millisecond, -20, -20},
		} {
			time.Sleep(c.after)
			if got := w.Distance(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, c.by)}).DY; got != c.want {
				t.Errorf("a distance of %g scrolls by %g, want %g", c.by, got, c.want)
			}
		}
	})
}
