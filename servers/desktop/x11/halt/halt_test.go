package halt_test

import (
	"errors"
	"io"
	"log"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"goated/internal/waittest"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/halt"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/screenshot"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	xgb.Logger = log.New(io.Discard, "", 0)
	os.Exit(x11test.Main(m, &desk, hidden.Options{}))
}

func sign(t *testing.T, stop func()) *halt.Sign {
	t.Helper()
	desk.Need(t)
	s, err := halt.New(t.Context(), halt.Options{Display: desk.Display, Authority: desk.Authority(), Halt: stop})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func TestKeyHalts(t *testing.T) {
	halted := make(chan time.Time, 8)
	s := sign(t, func() { halted <- time.Now() })
	defer s.Show()()
	for _, locks := range []string{"", "Num_Lock", "Caps_Lock"} {
		if locks != "" {
			desk.Output(t, "xdotool", "key", locks)
		}
		took := time.Hour
		for n := 0; n < 5 && took > time.Second; n++ { // other programs also use the processors
			since := time.Now()
			desk.Output(t, "xdotool", "key", "ctrl+alt+Escape")
			took = waittest.Receive(t, "the key halts", halted).Sub(since)
		}
		if took > time.Second {
			t.Errorf("with %q the key took %v", locks, took)
		}
		if locks != "" {
			desk.Output(t, "xdotool", "key", locks)
		}
	}
	if s.Key() != "Ctrl+Alt+Esc" {
		t.Errorf("the key is %s", s.Key())
	}
}

// A program with an open menu has grabbed the keyboard, so another program's grabbed key does nothing.
// The key that stops goated works anyway.
func TestTheKeyHaltsWhileAMenuIsOpen(t *testing.T) {
	halted := make(chan struct{}, 8)
	s := sign(t, func() { halted <- struct{}{} })
	menu := desk.Open(t, nil).Conn()
	r, err := xproto.GrabKeyboard(menu.X, false, menu.Root, xproto.TimeCurrentTime, xproto.GrabModeAsync, xproto.GrabModeAsync).Reply()
	if err != nil || r.Status != xproto.GrabStatusSuccess {
		t.Fatal(r, err)
	}
	s.Watch()
	desk.Output(t, "xdotool", "keydown", "ctrl+alt+Escape")
	select {
	case <-halted:
	case <-time.After(20 * time.Second):
		t.Error("the key does nothing")
	}
	desk.Output(t, "xdotool", "keyup", "ctrl+alt+Escape")
}

// TestAnotherKeyHalts covers a desktop, or another goated, that has grabbed the first combination.
func TestAnotherKeyHalts(t *testing.T) {
	halted := make(chan string, 8)
	var signs []*halt.Sign
	for _, name := range []string{"first", "second"} {
		signs = append(signs, sign(t, func() { halted <- name }))
	}
	if k := signs[1].Key(); k != "Ctrl+Super+Esc" {
		t.Errorf("the second key is %s", k)
	}
	desk.Output(t, "xdotool", "key", "ctrl+super+Escape")
	if who := waittest.Receive(t, "the second key halts", halted); who != "second" {
		t.Errorf("%s was halted", who)
	}
	desk.Output(t, "xdotool", "key", "ctrl+alt+Escape")
	if who := waittest.Receive(t, "the first key halts", halted); who != "first" {
		t.Errorf("%s was halted", who)
	}
	for range 2 {
		sign(t, func() {})
	}
	if _, err := halt.New(t.Context(), halt.Options{Display: desk.Display, Authority: desk.Authority(), Halt: func() {}}); !errors.Is(err, halt.ErrKey) {
		t.Errorf("a fifth sign: %v", err)
	}
}

// TestSignIsSeenOnlyByTheUser checks that the user sees the sign, and that screenshots and clicks
// ignore it.
func TestSignIsSeenOnlyByTheUser(t *testing.T) {
	s := sign(t, func() {})
	d := desk.Open(t, func(w x11.Window) bool { return w.PID == os.Getpid() })
	all := desk.Open(t, nil)
	camera := func(d *x11.Desktop) *screenshot.Camera {
		k, err := screenshot.New(t.Context(), screenshot.Options{Desktop: d, Display: desk.Display, Authority: desk.Authority()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(k.Close)
		return k
	}
	masked, open := camera(d), camera(all)
	w := desk.Terminal(t, all, "below")
	if _, err := all.Move(t.Context(), w.ID, 400, 0); err != nil {
		t.Fatal(err)
	}
	picture := func(k *screenshot.Camera) string {
		p, err := k.Region(t.Context(), x11.Rect{X: 500, Y: 2, W: 200, H: 22})
		if err != nil {
			t.Fatal(err)
		}
		return string(p.Pix)
	}
	without := picture(open)
	hide, again := s.Show(), s.Show()
	desk.Until(t, "sign", func() bool { return picture(open) != without })
	if picture(masked) != without {
		t.Error("a screenshot shows the sign")
	}
	if path := os.Getenv("GOATED_SIGN"); path != "" { // to look at it
		p, err := open.Screen(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := p.PNG()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if hit, ok, err := d.At(600, 10); err != nil || !ok || hit.ID != w.ID {
		t.Errorf("a click on the sign reaches %+v, %v", hit, err)
	}
	hide()
	hide()
	if picture(open) == without {
		t.Error("the sign went away while another action was under way")
	}
	again()
	if picture(open) == without {
		t.Error("nobody can see the sign of an action that takes milliseconds")
	}
	desk.Until(t, "end of the sign", func() bool { return picture(open) == without })
	took := time.Hour
	for n := 0; n < 5 && took > time.Second; n++ { // other programs also use the processors
		quick := s.Show()
		desk.Until(t, "sign", func() bool { return picture(open) != without })
		began := time.Now()
		s.Hide()
		quick()
		desk.Until(t, "end of the sign", func() bool { return picture(open) == without })
		took = time.Since(began)
	}
	if took > time.Second {
		t.Errorf("after a halt the sign stays %v", took)
	}
}

// With several displays the sign is on the main one, even after another display becomes the main one.
func TestSignIsOnTheMainDisplay(t *testing.T) {
	s := sign(t, func() {})
	d := desk.Open(t, nil)
	screen := d.Screen()
	left := x11.Rect{X: 0, Y: 300, W: screen.W/2 - 100, H: screen.H - 300}
	right := x11.Rect{X: left.W, Y: 120, W: screen.W - left.W, H: 400}
	for _, main := range []string{"left", "right"} {
		x11test.Monitors(t, d.Conn(), map[string]x11.Rect{"left": left, "right": right}, main)
		all, err := d.Displays()
		if err != nil || len(all) != 2 || all[0].Name != main || !all[0].Main || all[1].Main {
			t.Fatalf("%+v, %v", all, err)
		}
		hide := s.Show()
		var at x11.Rect
		desk.Until(t, "sign", func() bool {
			tree, err := xproto.QueryTree(d.Conn().X, d.Conn().Root).Reply()
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tree.Children {
				class, _ := xproto.GetProperty(d.Conn().X, false, w, xproto.AtomWmClass, xproto.AtomString, 0, 100).Reply()
				state, err := xproto.GetWindowAttributes(d.Conn().X, w).Reply()
				if class == nil || err != nil || !strings.Contains(string(class.Value), halt.Class) || state.MapState != xproto.MapStateViewable {
					continue
				}
				g, err := xproto.GetGeometry(d.Conn().X, xproto.Drawable(w)).Reply()
				if err == nil {
					at = x11.Rect{X: int(g.X), Y: int(g.Y), W: int(g.Width), H: int(g.Height)}
				}
				return err == nil
			}
			return false
		})
		if f := all[0].Frame; at.Intersect(f) != at || at.Y != f.Y {
			t.Errorf("the sign is at %+v, the main display %s at %+v", at, main, f)
		}
		hide()
	}
}
