package screenshot_test

import (
	"bytes"
	"image"
	"testing"

	"goated/servers/desktop/x11/screenshot"
)

// The user sees the hidden desktop as it is, with the pointer, as large as the available space allows.
// Take returns nothing while nothing changes.
func TestAMirrorShowsTheScreen(t *testing.T) {
	desk.Need(t, "import", "xterm", "xdotool")
	d := desk.Open(t, nil)
	desk.Output(t, "xdotool", "mousemove", "850", "550")
	m, err := screenshot.NewMirror(t.Context(), desk.Display, desk.Authority())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	large := image.Pt(2000, 2000)
	take := func(within image.Point) *image.RGBA {
		t.Helper()
		p, err := m.Take(t.Context(), within)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := take(large)
	if first == nil || first.Rect.Max != image.Pt(900, 600) {
		t.Fatalf("the first picture is %v", first)
	}
	if p := take(large); p != nil {
		t.Error("a picture of nothing new")
	}
	desk.Terminal(t, d, "shown")
	var p *image.RGBA
	desk.Until(t, "picture of the new window", func() bool { p = take(large); return p != nil })
	// Apart from the pointer, which import omits, each pixel equals the screen as soon as the terminal
	// has drawn everything.
	without := image.Rect(0, 0, 820, 520)
	desk.Until(t, "the same picture as import's", func() bool {
		if next := take(large); next != nil {
			p = next
		}
		all := rgba(imported(t, "-window", "root"))
		return bytes.Equal(rgba(p.SubImage(without)).Pix, rgba(all.SubImage(without)).Pix)
	})
	for _, way := range []struct{ within, want image.Point }{{image.Pt(450, 900), image.Pt(450, 300)}, {image.Pt(900, 200), image.Pt(300, 200)}, {image.Pt(0, 0), image.Pt(1, 1)}} {
		if q := take(way.within); q == nil || q.Rect.Max != way.want {
			t.Errorf("within %v it is %v", way.within, q)
		}
	}
	p = take(large)
	desk.Output(t, "xdotool", "mousemove", "700", "500")
	desk.Until(t, "picture of the moved pointer", func() bool {
		q := take(large)
		return q != nil && q.RGBAAt(702, 503) != p.RGBAAt(702, 503)
	})
}

// The end of the desktop is an error, which makes the window look for another desktop.
func TestAMirrorNoticesTheEnd(t *testing.T) {
	desk.Need(t)
	if _, err := screenshot.NewMirror(t.Context(), ":9999", ""); err == nil {
		t.Error("a display that does not exist is open")
	}
	m, err := screenshot.NewMirror(t.Context(), desk.Display, desk.Authority())
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	if p, err := m.Take(t.Context(), image.Pt(9, 9)); err == nil {
		t.Errorf("a picture after the end: %v", p)
	}
}
