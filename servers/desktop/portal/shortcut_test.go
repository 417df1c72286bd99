package portal_test

import (
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/waittest"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/portaltest"
)

// bind binds the shortcut that stops goated.
func bind(t *testing.T, p *portaltest.Portal) (*portal.Shortcut, chan struct{}, error) {
	t.Helper()
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	pressed := make(chan struct{}, 16)
	s, err := portal.Bind(soon(t), portal.Options{Session: filtered(t, address)}, func() { pressed <- struct{}{} })
	t.Cleanup(func() {
		if s != nil {
			s.Close()
			if n := p.Sessions(); n > 0 {
				t.Errorf("%d sessions are open", n)
			}
		}
		if f := p.Faults(); len(f) > 0 {
			t.Errorf("the portal complains: %v", f)
		}
		_ = conn.Close()
	})
	return s, pressed, err
}

// The shortcut reaches goated within 100 ms, once for each press. Other shortcuts do not reach it.
func TestHaltKey(t *testing.T) {
	p := &portaltest.Portal{}
	s, pressed, err := bind(t, p)
	if err != nil {
		t.Fatal(err)
	}
	if s.Name() != "Press <ctrl><alt>Escape" {
		t.Error(s.Name())
	}
	fastest := time.Hour
	for range 5 { // other programs also use the processors
		p.Press("other")
		begun := time.Now()
		if !p.Press("halt") {
			t.Fatal("no shortcut is bound")
		}
		select {
		case <-pressed:
			fastest = min(fastest, time.Since(begun))
		case <-time.After(20 * time.Second):
			t.Fatal("the key did not arrive")
		}
	}
	if fastest > 100*time.Millisecond {
		t.Errorf("it took %v", fastest)
	}
	if len(pressed) > 0 {
		t.Error("a press counts twice")
	}
	p.End()
	select {
	case <-s.Ended():
	case <-time.After(20 * time.Second):
		t.Error("the desktop took the key back, and nobody knows")
	}
}

// If there is no shortcut, the error explains why.
func TestNoHaltKey(t *testing.T) {
	for what, test := range map[string]struct {
		portal *portaltest.Portal
		want   error
		says   string
	}{
		"no portal":           {&portaltest.Portal{Lacks: []string{"GlobalShortcuts"}}, portal.ErrMissing, "GlobalShortcuts"},
		"no desktop file":     {&portaltest.Portal{Keys: portaltest.Keys{Nameless: true, Files: []string{"other"}}}, portal.ErrMissing, "no goated.goated.desktop"},
		"the user refuses":    {&portaltest.Portal{Keys: portaltest.Keys{Shortcut: func() (uint32, string) { return portaltest.Refuse, "" }}}, portal.ErrDenied, "did not agree"},
		"the user gives none": {&portaltest.Portal{Keys: portaltest.Keys{Shortcut: func() (uint32, string) { return portaltest.Agree, "" }}}, portal.ErrDenied, "gave no key"},
		"the desktop fails":   {&portaltest.Portal{Keys: portaltest.Keys{Shortcut: func() (uint32, string) { return portaltest.Other, "" }}}, portal.ErrFailed, "BindShortcuts"},
	} {
		t.Run(what, func(t *testing.T) {
			if _, _, err := bind(t, test.portal); !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Error(err)
			}
		})
	}
}

// With its desktop file, goated registers as a program.
func TestHaltKeyRegisters(t *testing.T) {
	p := &portaltest.Portal{Keys: portaltest.Keys{Nameless: true, Files: []string{"goated.goated"}}}
	if _, _, err := bind(t, p); err != nil {
		t.Error(err)
	}
}

// GNOME 48 grants the shortcut although its answer is that the request failed.
func TestHaltKeyOfGNOME48(t *testing.T) {
	p := &portaltest.Portal{Keys: portaltest.Keys{Shortcut: func() (uint32, string) { return portaltest.Other, "Press <Control><Alt>Escape" }}}
	s, pressed, err := bind(t, p)
	if err != nil {
		t.Fatal(err)
	}
	p.Press("halt")
	select {
	case <-pressed:
	case <-time.After(20 * time.Second):
		t.Error("the key did not arrive")
	}
	if s.Name() != "Press <Control><Alt>Escape" {
		t.Error(s.Name())
	}
}

// GNOME itself uses Ctrl+Alt+Escape, so goated asks it for other keys, which do reach goated.
func TestHaltKeyOfGNOMEIsFree(t *testing.T) {
	p := &portaltest.Portal{Keys: portaltest.Keys{GNOME: true}}
	_, pressed, err := bind(t, p)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Press("halt") {
		t.Fatal("the key has no effect")
	}
	select {
	case <-pressed:
	case <-time.After(20 * time.Second):
		t.Error("the key did not arrive")
	}
}

// When the portals end, their sessions end, too. The shortcut is gone, and the next key asks the user
// again.
func TestPortalsEnd(t *testing.T) {
	address := bustest.Start(t)
	conn, err := (&portaltest.Portal{Keyboard: agree}).Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	s, err := portal.Bind(soon(t), portal.Options{Session: filtered(t, address)}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := portal.Open(t.Context(), portal.Options{Session: filtered(t, address)})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if _, err := got.Allow(soon(t)); err != nil {
		t.Fatal(err)
	}
	_ = conn.Close()
	select {
	case <-s.Ended():
	case <-time.After(20 * time.Second):
		t.Error("the key is there without the portals")
	}
	waittest.Until(t, "the end of the permission", func() bool { return errors.Is(got.Key(soon(t), 'a', true), portal.ErrEnded) })
}

// If the desktop takes the shortcut back, the next action binds it again. The cases are a user who ends
// the session, and portals that restart.
func TestHaltKeyIsBoundAgain(t *testing.T) {
	address := bustest.Start(t)
	p := new(portaltest.Portal)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	var pressed atomic.Int32
	var told atomic.Value // the keys that Follow reported
	w := portal.Follow(portal.Options{Session: filtered(t, address)}, func() { pressed.Add(1) }, func(keys string) { told.Store(keys) })
	defer w.Close()
	works := func(what string) {
		t.Helper()
		waittest.Until(t, what, func() bool { name, err := w.Key(); return err == nil && told.Load() == name })
		before := pressed.Load()
		if !p.Press("halt") {
			t.Fatalf("%s: no key is bound", what)
		}
		waittest.Until(t, what+": the press", func() bool { return pressed.Load() == before+1 })
	}
	gone := func(what string) {
		t.Helper()
		waittest.Until(t, what, func() bool {
			name, err := w.Key()
			return name == "" && told.Load() == "" && errors.Is(err, portal.ErrEnded)
		})
	}
	works("the first key")
	w.Again() // the shortcut is not lost
	p.End()
	gone("the key of an ended session")
	w.Again()
	w.Again() // two concurrent actions ask once
	works("the key after the next action")
	if n := p.Sessions(); n != 1 {
		t.Errorf("%d sessions are open", n)
	}
	if f := p.Faults(); len(f) > 0 {
		t.Errorf("the portal complains: %v", f)
	}

	_ = conn.Close()
	gone("the key without the portals")
	for range 20 { // the portals are not running yet
		w.Again()
		waittest.Until(t, "why there is no key", func() bool { _, err := w.Key(); return errors.Is(err, portal.ErrMissing) })
	}
	p = new(portaltest.Portal)
	if conn, err = p.Serve(address); err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	w.Again()
	works("the key after the portals started again")
}

// If the user refuses the shortcut after it was taken back, they are not asked again. A desktop that
// takes it back each time is asked eight times.
func TestHaltKeyIsNotAskedForWithoutEnd(t *testing.T) {
	for what, test := range map[string]struct {
		refuses bool
		want    int32
	}{"a refusal": {true, 2}, "a desktop that takes it back": {false, 9}} {
		t.Run(what, func(t *testing.T) {
			var asked atomic.Int32
			p := &portaltest.Portal{Keys: portaltest.Keys{Shortcut: func() (uint32, string) {
				if asked.Add(1) > 1 && test.refuses {
					return portaltest.Refuse, ""
				}
				return portaltest.Agree, "a key"
			}}}
			address := bustest.Start(t)
			conn, err := p.Serve(address)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			w := portal.Follow(portal.Options{Session: filtered(t, address)}, func() {}, func(string) {})
			defer w.Close()
			has := func() bool { _, err := w.Key(); return err == nil }
			for n := range test.want {
				waittest.Until(t, "an answer", func() bool { return asked.Load() == n+1 })
				if !test.refuses || n == 0 {
					waittest.Until(t, "the key", has)
					p.End()
				}
				waittest.Until(t, "the loss", func() bool { return !has() })
				w.Again()
			}
			if _, err := w.Key(); err == nil {
				t.Error("there is a key")
			}
			w.Again()
			if got := asked.Load(); got != test.want {
				t.Errorf("the user was asked %d times, want %d", got, test.want)
			}
		})
	}
}

// The GNOME dialog that asks for the shortcut is for the user only.
func TestTheDialogOfTheKeyAsks(t *testing.T) {
	address := bustest.Start(t)
	got, err := portal.Open(t.Context(), portal.Options{Session: filtered(t, address)})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.RequestName("org.gnome.Settings.GlobalShortcutsProvider", 0); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the dialog is out of reach", func() bool { return got.Asks(os.Getpid()) })
}
