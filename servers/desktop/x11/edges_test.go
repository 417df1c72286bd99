package x11_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/wire"
	"goated/servers/desktop/x11/x11test"
)

// bare starts a separate display without a window manager, and returns a connection that can act as
// one.
func bare(t *testing.T, handle func(wire.Event)) (*x11.Desktop, *wire.Conn) {
	t.Helper()
	desk.Need(t)
	display, err := hidden.Start(t.Context(), hidden.Options{Width: 1000, Height: 600, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(display.Close)
	own := x11test.Desk{Desktop: display}
	d := own.Open(t, nil)
	c, err := wire.Dial(t.Context(), wire.Options{Display: display.Display, Authority: display.Authority(), Extensions: []string{"RANDR"}, Handle: handle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return d, c
}

// window creates a window of 100 × 80 pixels, with a title unless it is empty.
func window(t *testing.T, c *wire.Conn, parent xproto.Window, x, y int16, overrides uint32, title string) xproto.Window {
	t.Helper()
	w, err := xproto.NewWindowId(c.X)
	if err != nil {
		t.Fatal(err)
	}
	xproto.CreateWindow(c.X, 0, w, parent, x, y, 100, 80, 0, xproto.WindowClassInputOutput, 0, xproto.CwOverrideRedirect, []uint32{overrides})
	if title != "" {
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, xproto.AtomWmName, xproto.AtomString, 8, uint32(len(title)), []byte(title))
	}
	xproto.MapWindow(c.X, w)
	return w
}

// An old window manager such as twm keeps no list of windows, and puts windows into its own frames. The
// windows inside the frames are listed and found at a point. Frames, menus and windows without a title
// are not mistaken for them.
func TestWindowsOfAManagerWithoutEWMH(t *testing.T) {
	d, c := bare(t, nil)
	if err := xproto.ChangeWindowAttributesChecked(c.X, c.Root, xproto.CwEventMask, []uint32{xproto.EventMaskSubstructureRedirect}).Check(); err != nil {
		t.Fatal(err) // c manages the windows now
	}
	frame := window(t, c, c.Root, 200, 100, 1, "frame")
	inside := window(t, c, frame, 4, 20, 0, "inside")
	menu := window(t, c, c.Root, 500, 300, 1, "")
	nameless := window(t, c, c.Root, 700, 300, 0, "")
	for w, state := range map[xproto.Window]byte{inside: 1, nameless: 1} {
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, c.Atom("WM_STATE"), c.Atom("WM_STATE"), 32, 2, []byte{state, 0, 0, 0, 0, 0, 0, 0})
	}
	if err := c.Sync(); err != nil {
		t.Fatal(err)
	}
	list, err := d.Windows()
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[uint32]x11.Window)
	for _, w := range list {
		found[w.ID] = w
	}
	if w := found[uint32(inside)]; len(found) != 2 || w.Title != "inside" || !w.Visible() || w.Client != (x11.Rect{X: 204, Y: 120, W: 100, H: 80}) {
		t.Errorf("%+v", list)
	}
	if w, ok := found[uint32(nameless)]; !ok || w.Title != "" {
		t.Errorf("a window without a title: %+v", list)
	}
	for at, want := range map[[2]int]xproto.Window{{210, 125}: inside, {202, 102}: inside, {510, 310}: menu, {710, 310}: nameless} {
		if w, ok, err := d.At(at[0], at[1]); err != nil || !ok || w.ID != uint32(want) {
			t.Errorf("at %v is 0x%x, want 0x%x (%v)", at, w.ID, want, err)
		}
	}
}

// While the focus follows the pointer, as without a window manager, the window at the pointer receives
// the keys. The same holds while the root window has the focus.
func TestKeysGoToTheWindowAtThePointer(t *testing.T) {
	d, c := bare(t, nil)
	under := window(t, c, c.Root, 100, 100, 0, "under")
	over := window(t, c, c.Root, 150, 130, 0, "over")
	for _, focus := range []xproto.Window{xproto.InputFocusPointerRoot, c.Root} {
		for at, want := range map[[2]int16]xproto.Window{{110, 110}: under, {160, 140}: over, {700, 500}: 0} {
			xproto.SetInputFocus(c.X, xproto.InputFocusNone, focus, xproto.TimeCurrentTime)
			xproto.WarpPointer(c.X, 0, c.Root, 0, 0, 0, 0, at[0], at[1])
			if err := c.Sync(); err != nil {
				t.Fatal(err)
			}
			if w, ok, err := d.Focused(); err != nil || ok != (want != 0) || w.ID != uint32(want) {
				t.Errorf("the focus 0x%x and the pointer at %v give the keys to %+v (%t, %v), want 0x%x", focus, at, w, ok, err, want)
			}
		}
	}
	xproto.SetInputFocus(c.X, xproto.InputFocusNone, xproto.InputFocusNone, xproto.TimeCurrentTime)
	xproto.WarpPointer(c.X, 0, c.Root, 0, 0, 0, 0, 110, 110)
	if err := c.Sync(); err != nil {
		t.Fatal(err)
	}
	if w, ok, err := d.Focused(); err != nil || ok {
		t.Errorf("without a focus, %+v receives the keys (%v)", w, err)
	}
}

// Two monitors are side by side. The second one is lower, and is the main one. Each has its own frame,
// and a point belongs to one of them.
func TestMonitorsWithOffsets(t *testing.T) {
	d, c := bare(t, nil)
	for _, m := range []randr.MonitorInfo{
		{Name: c.Atom("left"), Automatic: false, X: 0, Y: 0, Width: 400, Height: 300, WidthInMillimeters: 100, HeightInMillimeters: 80},
		{Name: c.Atom("right"), Primary: true, X: 400, Y: 150, Width: 600, Height: 450, WidthInMillimeters: 160, HeightInMillimeters: 120},
	} {
		if err := randr.SetMonitorChecked(c.X, c.Root, m).Check(); err != nil {
			t.Skipf("the server has no monitors to set: %v", err)
		}
	}
	all, err := d.Displays()
	if err != nil {
		t.Fatal(err)
	}
	frames := make(map[string]x11.Rect)
	for _, m := range all {
		frames[m.Name] = m.Frame
	}
	left, right := x11.Rect{W: 400, H: 300}, x11.Rect{X: 400, Y: 150, W: 600, H: 450}
	if frames["left"] != left || frames["right"] != right || !all[0].Main || all[0].Name != "right" {
		t.Fatalf("%+v", all)
	}
	for at, name := range map[[2]int]string{{399, 10}: "left", {400, 150}: "right", {999, 599}: "right"} {
		if m, err := d.DisplayAt(at[0], at[1]); err != nil || m.Name != name {
			t.Errorf("at %v is %q, want %q (%v)", at, m.Name, name, err)
		}
	}
	for _, m := range all {
		if one, err := d.Display(m.ID); err != nil || one.Frame != m.Frame {
			t.Errorf("%s: %+v, %v", m.Name, one, err)
		}
	}
}

// The screen grows after the desktop opened, as when a monitor is plugged in. Windows on the new part
// are found under the pointer, and the guard takes them into account.
func TestTheScreenGrows(t *testing.T) {
	desk.Need(t)
	display, err := hidden.Start(t.Context(), hidden.Options{Width: 1000, Height: 600, Bare: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(display.Close)
	c, err := wire.Dial(t.Context(), wire.Options{Display: display.Display, Authority: display.Authority(), Extensions: []string{"RANDR"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	resources, err := randr.GetScreenResources(c.X, c.Root).Reply()
	if err != nil || len(resources.Crtcs) == 0 {
		t.Skipf("the server cannot change its size: %v", err)
	}
	crtc := resources.Crtcs[0]
	was, err := randr.GetCrtcInfo(c.X, crtc, resources.ConfigTimestamp).Reply()
	if err != nil {
		t.Fatal(err)
	}
	set := func(x, y int16, mode randr.Mode, outputs []randr.Output) {
		t.Helper()
		r, err := randr.SetCrtcConfig(c.X, crtc, xproto.TimeCurrentTime, resources.ConfigTimestamp, x, y, mode, was.Rotation, outputs).Reply()
		if err != nil || r.Status != 0 {
			t.Skipf("the server cannot change its size: %v, %v", r, err)
		}
	}
	set(0, 0, 0, nil)
	if err := randr.SetScreenSizeChecked(c.X, c.Root, 500, 400, 130, 100).Check(); err != nil {
		t.Skipf("the server cannot change its size: %v", err)
	}
	d := (&x11test.Desk{Desktop: display}).Open(t, nil)
	if err := randr.SetScreenSizeChecked(c.X, c.Root, 1000, 600, 260, 160).Check(); err != nil {
		t.Fatal(err)
	}
	set(was.X, was.Y, was.Mode, was.Outputs)
	w := window(t, c, c.Root, 800, 450, 1, "on the new monitor")
	if err := c.Sync(); err != nil {
		t.Fatal(err)
	}
	if got := d.Screen(); got != (x11.Rect{W: 1000, H: 600}) {
		t.Errorf("the screen is %+v", got)
	}
	layers, err := d.Layers()
	if err != nil || !slices.ContainsFunc(layers, func(l x11.Layer) bool { return l.ID == uint32(w) }) {
		t.Errorf("the window is not among %+v (%v)", layers, err)
	}
	if at, ok, err := d.At(810, 460); err != nil || !ok || at.ID != uint32(w) {
		t.Errorf("at the window is %+v, %t, %v", at, ok, err)
	}
}

// While the connection to the display ends, listing the windows fails. The list used to be empty, as if
// there were no windows.
func TestNoListOfWindowsWithoutTheDisplay(t *testing.T) {
	desk.Need(t)
	for range 10 {
		d := desk.Open(t, nil)
		d.Conn().Abort()
		if list, err := d.Windows(); !errors.Is(err, wire.ErrGone) {
			t.Fatalf("%d windows, error %v", len(list), err)
		}
	}
}
