package x11_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/internal/waittest"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/x11test"
)

// wmctrl returns the line that wmctrl prints for a window: id desktop pid x y w h host title.
func wmctrl(t *testing.T, w x11.Window) []string {
	t.Helper()
	for line := range strings.Lines(desk.Output(t, "wmctrl", "-lpG")) {
		if f := strings.Fields(line); len(f) > 8 && strings.EqualFold(strings.TrimLeft(f[0][2:], "0"), fmt.Sprintf("%x", w.ID)) {
			return f
		}
	}
	return nil
}

func TestWindowsAsWmctrlListsThem(t *testing.T) {
	d := desk.Open(t, nil)
	w := desk.Terminal(t, d, "listed")
	desk.Output(t, "xdotool", "set_window", "--name", "listed naïve 日本", fmt.Sprint(w.ID))
	w = desk.Window(t, d, "listed naïve 日本")
	desk.Output(t, "wmctrl", "-i", "-r", fmt.Sprint(w.ID), "-T", "listed naïve 日本 🙂")
	w = desk.Window(t, d, "🙂")
	f := wmctrl(t, w)
	if f == nil {
		t.Fatalf("wmctrl does not list 0x%x", w.ID)
	}
	if got := strings.Join(f[8:], " "); got != w.Title {
		t.Errorf("title %q, wmctrl %q", w.Title, got)
	}
	if f[2] != fmt.Sprint(w.PID) || w.PID == 0 {
		t.Errorf("process %d, wmctrl %s", w.PID, f[2])
	}
	if f[5] != fmt.Sprint(w.Client.W) || f[6] != fmt.Sprint(w.Client.H) {
		t.Errorf("size %d × %d, wmctrl %s × %s", w.Client.W, w.Client.H, f[5], f[6])
	}
	if w.Class != "XTerm" || w.Type != "normal" || !w.Visible() || w.Frame.Y >= w.Client.Y {
		t.Errorf("%+v", w)
	}
	info := desk.Output(t, "xwininfo", "-id", fmt.Sprint(w.ID))
	if want := fmt.Sprintf("Absolute upper-left X:  %d\n", w.Client.X); !strings.Contains(info, want) {
		t.Errorf("no %q in\n%s", want, info)
	}
}

// frameOf returns the screen position of a window's frame.
func frameOf(t *testing.T, d *x11.Desktop, id uint32) x11.Rect {
	t.Helper()
	layers, err := d.Layers()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range layers {
		if l.Window.ID == id {
			return l.Bounds
		}
	}
	return x11.Rect{}
}

func TestWindowActions(t *testing.T) {
	d := desk.Open(t, nil)
	w := desk.Terminal(t, d, "acted on")
	other := desk.Terminal(t, d, "the other")
	ctx := t.Context()
	xprop := func(name string) string { return desk.Output(t, "xprop", "-id", fmt.Sprint(w.ID), name) }

	got, err := d.Activate(ctx, w.ID)
	if err != nil || !got.Focused {
		t.Fatalf("%+v, %v", got, err)
	}
	if active := desk.Output(t, "xprop", "-root", "_NET_ACTIVE_WINDOW"); !strings.Contains(active, fmt.Sprintf("0x%x", w.ID)) {
		t.Error(active)
	}
	for _, p := range [][2]int{{300, 200}, {0, 0}, {451, 333}} {
		got, err = d.Move(ctx, w.ID, p[0], p[1])
		if err != nil || got.Frame.X != p[0] || got.Frame.Y != p[1] {
			t.Errorf("moved to %v: %+v, %v", p, got.Frame, err)
		}
		info := desk.Output(t, "xwininfo", "-id", fmt.Sprint(w.ID))
		if want := fmt.Sprintf("Absolute upper-left X:  %d\n", p[0]+got.Client.X-got.Frame.X); !strings.Contains(info, want) {
			t.Errorf("no %q in\n%s", want, info)
		}
	}
	got, err = d.Resize(ctx, w.ID, 500, 300)
	if err != nil || got.Frame.W > 500 || got.Frame.W < 490 || got.Frame.H > 300 || got.Frame.H < 280 {
		t.Errorf("resized: %+v, %v", got.Frame, err)
	}
	if f := wmctrl(t, w); f[5] != fmt.Sprint(got.Client.W) || f[6] != fmt.Sprint(got.Client.H) {
		t.Errorf("wmctrl sees %v, not %+v", f, got.Client)
	}
	before := got
	for name, back := range map[string]func(context.Context, uint32) (x11.Window, error){"restored": d.Restore, "activated": d.Activate} {
		if got, err = d.Minimize(ctx, w.ID); err != nil || !got.Minimized {
			t.Fatalf("%+v, %v", got, err)
		}
		// The window manager used to be still moving the frame to the edge of the screen and back.
		for end := time.Now().Add(100 * time.Millisecond); err == nil && got.Frame == before.Frame && time.Now().Before(end); {
			got, err = d.Window(w.ID)
		}
		if err != nil || got.Frame != before.Frame {
			t.Errorf("the minimised window is at %+v, and was at %+v: %v", got.Frame, before.Frame, err)
		}
		if state := xprop("WM_STATE"); !strings.Contains(state, "Iconic") {
			t.Error(state)
		}
		got, err = back(ctx, w.ID)
		if err != nil || got.Minimized || got.Frame != before.Frame {
			t.Fatalf("%s: %+v, %v", name, got, err)
		}
		// The window manager used to be still unrolling it, so a picture showed only the title.
		if shown := frameOf(t, d, w.ID); shown != before.Frame {
			t.Errorf("%s: the screen shows it at %+v, its frame is %+v", name, shown, before.Frame)
		}
	}
	if state := xprop("WM_STATE"); !strings.Contains(state, "Normal") {
		t.Error(state)
	}
	if _, err = d.Maximize(ctx, w.ID, true); err != nil {
		t.Fatal(err)
	}
	if state := xprop("_NET_WM_STATE"); !strings.Contains(state, "MAXIMIZED_VERT") {
		t.Error(state)
	}
	if got, err = d.Move(ctx, w.ID, 50, 60); err != nil || got.Maximized || got.Frame.X != 50 || got.Frame.Y != 60 {
		t.Errorf("a maximised window moved: %+v, %v", got, err)
	}
	if err := d.CloseWindow(ctx, w.ID, false); err != nil {
		t.Fatal(err)
	}
	if wmctrl(t, w) != nil {
		t.Error("wmctrl still lists it")
	}
	if err := d.CloseWindow(ctx, other.ID, true); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Move(ctx, w.ID, 0, 0); !errors.Is(err, x11.ErrNoWindow) {
		t.Errorf("a closed window moved: %v", err)
	}
	if _, err := d.Activate(ctx, 0x7fffff); !errors.Is(err, x11.ErrNoWindow) {
		t.Errorf("a window that never was: %v", err)
	}
}

func TestOwnWindowsAreOutOfReach(t *testing.T) {
	all := desk.Open(t, nil)
	mine := desk.Terminal(t, all, "goated's own")
	other := desk.Terminal(t, all, "not goated's")
	d := desk.Open(t, func(w x11.Window) bool { return w.PID == mine.PID })
	ws, err := d.Windows()
	if err != nil {
		t.Fatal(err)
	}
	seen := false
	for _, w := range ws {
		if w.ID == mine.ID {
			t.Error("it is listed")
		}
		seen = seen || w.ID == other.ID
	}
	if !seen {
		t.Error("the other window is not listed")
	}
	for name, act := range map[string]func() error{
		"get":      func() error { _, err := d.Window(mine.ID); return err },
		"activate": func() error { _, err := d.Activate(t.Context(), mine.ID); return err },
		"move":     func() error { _, err := d.Move(t.Context(), mine.ID, 1, 1); return err },
		"resize":   func() error { _, err := d.Resize(t.Context(), mine.ID, 300, 300); return err },
		"minimise": func() error { _, err := d.Minimize(t.Context(), mine.ID); return err },
		"restore":  func() error { _, err := d.Restore(t.Context(), mine.ID); return err },
		"maximise": func() error { _, err := d.Maximize(t.Context(), mine.ID, true); return err },
		"close":    func() error { return d.CloseWindow(t.Context(), mine.ID, true) },
	} {
		if err := act(); !errors.Is(err, x11.ErrOwn) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if now, err := all.Window(mine.ID); err != nil || now.Frame != mine.Frame {
		t.Errorf("it changed: %+v, %v", now, err)
	}
}

func TestHitsTheWindowOnTop(t *testing.T) {
	d := desk.Open(t, nil)
	below, above := desk.Terminal(t, d, "below"), desk.Terminal(t, d, "above")
	for _, w := range []x11.Window{below, above} {
		if _, err := d.Activate(t.Context(), w.ID); err != nil {
			t.Fatal(err)
		}
		moved, err := d.Move(t.Context(), w.ID, 200, 150)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range [][2]int{{moved.Frame.X + 20, moved.Frame.Y + 5}, {moved.Client.X + 50, moved.Client.Y + 50}} { // title bar, contents
			hit, ok, err := d.At(p[0], p[1])
			if err != nil || !ok || hit.ID != w.ID {
				t.Errorf("at %v: %q, %v, %v; want %q", p, hit.Title, ok, err, w.Title)
			}
		}
		if f, ok, err := d.Focused(); err != nil || !ok || f.PID != w.PID {
			t.Errorf("the keys go to %+v, %v, %v", f, ok, err)
		}
	}
	if _, _, err := d.At(5000, 5); !errors.Is(err, x11.ErrRefused) {
		t.Errorf("outside the screen: %v", err)
	}
	if hit, ok, err := d.At(1279, 799); ok || err != nil {
		t.Errorf("the background is %q, %v", hit.Title, err)
	}
}

func TestWatchReportsEachChange(t *testing.T) {
	d := desk.Open(t, nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	changes, done := make(chan x11.Change, 1000), make(chan error, 1)
	go func() { done <- d.Watch(ctx, func([]x11.Window) {}, func(c x11.Change) { changes <- c }) }()
	saw := func(id uint32, kind x11.Kind, act func() error) {
		t.Helper()
		if err := act(); err != nil {
			t.Fatal(err)
		}
		for late := time.After(30 * time.Second); ; {
			select {
			case c := <-changes:
				if c.Kind == kind && (id == 0 || c.Window.ID == id) {
					return
				}
			case err := <-done:
				t.Fatalf("the watch ended: %v", err)
			case <-late:
				t.Fatalf("no change %d", kind)
			}
		}
	}
	var w x11.Window
	saw(0, x11.Created, func() error { w = desk.Terminal(t, d, "watched"); return nil })
	saw(w.ID, x11.Moved, func() error { _, err := d.Move(ctx, w.ID, 400, 300); return err })
	saw(w.ID, x11.Resized, func() error { _, err := d.Resize(ctx, w.ID, 320, 200); return err })
	saw(w.ID, x11.Minimized, func() error { _, err := d.Minimize(ctx, w.ID); return err })
	saw(w.ID, x11.Restored, func() error { _, err := d.Restore(ctx, w.ID); return err })
	saw(w.ID, x11.Destroyed, func() error { return d.CloseWindow(ctx, w.ID, true) })
	why := errors.New("enough")
	cancel(why)
	if err := waittest.Receive(t, "the watch ends", done); !errors.Is(err, why) {
		t.Error(err)
	}
}

func TestDisplays(t *testing.T) {
	d := desk.Open(t, nil)
	all, err := d.Displays()
	if err != nil || len(all) != 1 || !all[0].Main || all[0].Frame != (x11.Rect{W: 1280, H: 800}) || all[0].Scale != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	desk.Output(t, "xdotool", "mousemove", "123", "456")
	if x, y, err := d.Cursor(); err != nil || x != 123 || y != 456 {
		t.Errorf("the pointer is at %d, %d, %v", x, y, err)
	}
}

// BenchmarkList lists 100 windows, and fails if that is slower than the tools.
func BenchmarkList(b *testing.B) {
	d := desk.Open(b, nil)
	c := d.Conn()
	for i := range 100 {
		w, err := xproto.NewWindowId(c.X)
		if err != nil {
			b.Fatal(err)
		}
		xproto.CreateWindow(c.X, 0, w, c.Root, int16(i), int16(i), 50, 50, 0, xproto.WindowClassInputOutput, 0, 0, nil)
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, c.Atom("_NET_WM_NAME"), c.Atom("UTF8_STRING"), 8, 3, []byte("win"))
		xproto.ChangeProperty(c.X, xproto.PropModeReplace, w, xproto.AtomWmName, xproto.AtomString, 8, 3, []byte("win"))
		xproto.MapWindow(c.X, w)
		b.Cleanup(func() { xproto.DestroyWindow(c.X, w) })
	}
	desk.Until(b, "100 windows", func() bool { all, err := d.Windows(); return err == nil && len(all) == 100 })
	x11test.Beside(b, func() {
		if all, err := d.Windows(); err != nil || len(all) != 100 {
			b.Fatal(len(all), err)
		}
	}, map[string]func(){
		"wmctrl": func() { desk.Output(b, "wmctrl", "-lpGx") },
		"xdotool": func() {
			desk.Output(b, "xdotool", "search", "--onlyvisible", "--name", "win", "getwindowgeometry", "%@")
		},
	})
}
