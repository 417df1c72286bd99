package screenshot_test

import (
	"encoding/binary"
	"testing"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11"
)

// Under a compositor, goated's own window shows through a translucent window above it, so a picture
// hides it there, too. Where the upper window is opaque, it hides goated's window itself, as every
// window does without a compositor.
func TestOwnWindowsDoNotShowThroughOthers(t *testing.T) {
	d := desk.Open(t, func(w x11.Window) bool { return w.Title == "mine" })
	c := d.Conn()
	var visual xproto.Visualid
	for _, depth := range c.Screen.AllowedDepths {
		if depth.Depth == 32 && len(depth.Visuals) > 0 {
			visual = depth.Visuals[0].VisualId
		}
	}
	if visual == 0 {
		t.Skip("the server has no windows with an alpha channel")
	}
	colors, err := xproto.NewColormapId(c.X)
	if err != nil {
		t.Fatal(err)
	}
	xproto.CreateColormap(c.X, xproto.ColormapAllocNone, colors, c.Root, visual)
	create := func(depth byte, visual xproto.Visualid, pixel uint32, title string) xproto.Window {
		t.Helper()
		w, err := xproto.NewWindowId(c.X)
		if err != nil {
			t.Fatal(err)
		}
		mask, values := uint32(xproto.CwBackPixel|xproto.CwBorderPixel|xproto.CwOverrideRedirect), []uint32{pixel, 0, 1}
		if depth == 32 {
			mask, values = mask|xproto.CwColormap, append(values, uint32(colors))
		}
		if err := xproto.CreateWindowChecked(c.X, depth, w, c.Root, 700, 500, 100, 80, 0, xproto.WindowClassInputOutput, visual, mask, values).Check(); err != nil {
			t.Fatal(err)
		}
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, xproto.AtomWmName, xproto.AtomString, 8, uint32(len(title)), []byte(title))
		xproto.MapWindow(c.X, w)
		t.Cleanup(func() { xproto.DestroyWindow(c.X, w); _ = c.Sync() })
		return w
	}
	create(0, 0, 0x112233, "mine")
	above := create(32, visual, 0x80ff0000, "above")
	k := camera(t, d)
	shows := func(want bool, what string) {
		t.Helper()
		if err := c.Sync(); err != nil {
			t.Fatal(err)
		}
		p, err := k.Region(t.Context(), x11.Rect{X: 710, Y: 510, W: 10, H: 10})
		if err != nil {
			t.Fatal(err)
		}
		r, g, b, _ := p.At(5, 5).RGBA()
		if got := r>>8 == 0xff && g == 0 && b == 0; got != want {
			t.Errorf("%s: the window above shows: %t, want %t (%x %x %x)", what, got, want, r>>8, g>>8, b>>8)
		}
	}
	set := func(name string, values ...uint32) {
		t.Helper()
		var data []byte
		for _, v := range values {
			data = binary.LittleEndian.AppendUint32(data, v)
		}
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, above, c.Atom(name), xproto.AtomCardinal, 32, uint32(len(values)), data)
	}
	shows(true, "without a compositor")
	compositor := c.Atom("_NET_WM_CM_S0")
	xproto.SetSelectionOwner(c.X, above, compositor, xproto.TimeCurrentTime)
	t.Cleanup(func() { xproto.SetSelectionOwner(c.X, 0, compositor, xproto.TimeCurrentTime); _ = c.Sync() })
	shows(false, "a translucent window")
	set("_NET_WM_OPAQUE_REGION", 0, 0, 100, 80)
	shows(true, "one that says that it is opaque")
	set("_NET_WM_OPAQUE_REGION", 50, 50, 50, 30)
	shows(false, "one that is opaque elsewhere")
	set("_NET_WM_OPAQUE_REGION", 0, 0, 100, 80)
	set("_NET_WM_WINDOW_OPACITY", 0x80000000)
	shows(false, "one with an opacity")
}
