package x11_test

import (
	"testing"

	"github.com/jezek/xgb/shape"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11"
)

// A window with holes, such as a shadow or a clock with hands, takes clicks only in its solid parts. It
// does not cover the windows below its holes.
func TestHolesOfWindowsCoverNothing(t *testing.T) {
	d := desk.Open(t, nil)
	c := d.Conn()
	w, err := xproto.NewWindowId(c.X)
	if err != nil {
		t.Fatal(err)
	}
	const border = 3
	xproto.CreateWindow(c.X, 0, w, c.Root, 600, 500, 100, 80, border, xproto.WindowClassInputOutput, 0, xproto.CwOverrideRedirect, []uint32{1})
	xproto.MapWindow(c.X, w)
	t.Cleanup(func() { xproto.DestroyWindow(c.X, w); _ = c.Sync() })
	layer := func() x11.Layer {
		t.Helper()
		layers, err := d.Layers()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range layers {
			if l.ID == uint32(w) {
				return l
			}
		}
		t.Fatalf("no layer 0x%x in %v", w, layers)
		return x11.Layer{}
	}
	if l := layer(); len(l.Parts()) != 1 || l.Parts()[0].W < 100 || l.Parts()[0].H < 80 || l.Bounds != (x11.Rect{X: 600, Y: 500, W: 106, H: 86}) {
		t.Errorf("a window without a shape: %+v", l)
	}
	for _, kind := range []shape.Kind{shape.SkBounding, shape.SkInput} {
		shape.Rectangles(c.X, shape.SoSet, kind, 0, w, 0, 0, []xproto.Rectangle{{X: 10, Y: 20, Width: 30, Height: 40}, {X: 60, Y: 60, Width: 500, Height: 500}})
		l := layer()
		if want := (x11.Rect{X: 613, Y: 523, W: 30, H: 40}); !l.Shaped || len(l.Parts()) != 2 || l.Parts()[0] != want {
			t.Errorf("a shape of kind %d: %+v", kind, l)
		}
		for _, p := range [][2]int{{613, 523}, {642, 562}, {643, 523}, {612, 530}, {663, 563}, {690, 575}} {
			solid := false
			for _, r := range l.Parts() {
				solid = solid || r.Contains(p[0], p[1])
			}
			if hit, ok, err := d.At(p[0], p[1]); err != nil || (ok && hit.ID == uint32(w)) != solid {
				t.Errorf("at %v the server finds %+v (%v), but %v says %v", p, hit.ID, err, l.Parts(), solid)
			}
		}
		shape.Mask(c.X, shape.SoSet, kind, w, 0, 0, xproto.PixmapNone)
	}
	shape.Rectangles(c.X, shape.SoSet, shape.SkInput, 0, w, 0, 0, nil)
	if l := layer(); !l.Shaped || len(l.Parts()) != 0 {
		t.Errorf("a window that lets all clicks through: %+v", l)
	}
}
