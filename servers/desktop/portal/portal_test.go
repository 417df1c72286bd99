package portal_test

import (
	"context"
	"errors"
	"image"
	"image/png"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/bustest"
	"goated/internal/sandbox/busfilter/busfiltertest"
	"goated/internal/waittest"
	"goated/servers"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/portaltest"
)

// filtered returns the address of the sandbox's filter in front of a session bus, with the rules of the
// desktop server.
func filtered(t *testing.T, address string) string {
	t.Helper()
	i := slices.IndexFunc(servers.All(), func(s servers.Server) bool { return s.Name == "desktop" })
	return busfiltertest.Behind(t, address, servers.All()[i].Filtered()[0].Rules)
}

// serve starts the fake and connects to it. At the end of the test the fake must not have recorded a
// fault.
func serve(t *testing.T, p *portaltest.Portal) *portal.Portal {
	t.Helper()
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	got, err := portal.Open(t.Context(), portal.Options{Session: filtered(t, address)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		got.Close()
		if f := p.Faults(); len(f) > 0 {
			t.Errorf("the portal complains: %v", f)
		}
	})
	return got
}

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestKeysNeedConsent(t *testing.T) {
	var mu sync.Mutex
	asked := 0
	var keys []portaltest.Key
	p := &portaltest.Portal{
		Keyboard: func() (uint32, uint32) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			if asked == 1 {
				return portaltest.Refuse, 0
			}
			return portaltest.Agree, 7
		},
		Pressed: func(k portaltest.Key) { mu.Lock(); defer mu.Unlock(); keys = append(keys, k) },
	}
	got := serve(t, p)
	ctx := soon(t)
	if err := got.Key(ctx, 'a', true); !errors.Is(err, portal.ErrEnded) {
		t.Errorf("a key without consent: %v", err)
	}
	if _, err := got.Allow(ctx); !errors.Is(err, portal.ErrDenied) {
		t.Errorf("after a refusal: %v", err)
	}
	for i := range 3 { // the user is asked once
		fresh, err := got.Allow(ctx)
		if err != nil || fresh != (i == 0) {
			t.Fatalf("%v, fresh %t at %d", err, fresh, i)
		}
		for _, down := range []bool{true, false} {
			if err := got.Key(ctx, 0x01000000|'🙂', down); err != nil {
				t.Fatal(err)
			}
		}
	}
	mu.Lock()
	if asked != 2 || len(keys) != 6 || keys[0] != (portaltest.Key{Sym: 0x01000000 | '🙂', Down: true}) {
		t.Errorf("asked %d times; %v", asked, keys)
	}
	mu.Unlock()

	// When the user ends the session, a key fails, and the next one asks again.
	p.End()
	for {
		err := got.Key(ctx, 'b', true)
		if errors.Is(err, portal.ErrEnded) {
			break
		}
		if ctx.Err() != nil {
			t.Fatalf("a key after the end: %v", err)
		}
	}
	if _, err := got.Allow(ctx); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if asked != 3 {
		t.Errorf("asked %d times after the end", asked)
	}
}

// A user who allows a pointer but no keyboard has not allowed a keyboard.
func TestNoKeyboard(t *testing.T) {
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { return portaltest.Agree, 2 }}
	got := serve(t, p)
	if _, err := got.Allow(soon(t)); !errors.Is(err, portal.ErrDenied) {
		t.Errorf("%v", err)
	}
	waittest.Until(t, "the session ends", func() bool { return p.Sessions() == 0 })
}

// The dialog waits longer for the user than a call does, and a later call gets the answer.
func TestSlowUser(t *testing.T) {
	agree := make(chan struct{})
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { <-agree; return portaltest.Agree, 1 }}
	got := serve(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := got.Allow(ctx); !errors.Is(err, portal.ErrAsking) || !strings.Contains(err.Error(), "ask the user") {
		t.Errorf("%v", err)
	}
	close(agree)
	if _, err := got.Allow(soon(t)); err != nil {
		t.Error(err)
	}
}

// Close closes an open dialog.
func TestCloseEndsTheDialog(t *testing.T) {
	never := make(chan struct{})
	asked := make(chan struct{})
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { close(asked); <-never; return portaltest.Other, 0 }}
	defer close(never)
	got := serve(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := got.Allow(ctx); !errors.Is(err, portal.ErrAsking) {
		t.Errorf("%v", err)
	}
	got.Close()
	waittest.Until(t, "the dialog closes", func() bool {
		open, closed := p.Requests()
		return open == 0 && closed == 1
	})
}

func TestScreenshot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Bildschirm foto.png")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, image.NewRGBA(image.Rect(0, 0, 30, 20))), f.Close()); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	answer, uri := portaltest.Refuse, (&url.URL{Scheme: "file", Path: path}).String()
	say := func(a uint32, u string) { mu.Lock(); defer mu.Unlock(); answer, uri = a, u }
	p := &portaltest.Portal{Picture: func() (uint32, string) { mu.Lock(); defer mu.Unlock(); return answer, uri }}
	got := serve(t, p)
	ctx := soon(t)
	if _, err := got.Screenshot(ctx); !errors.Is(err, portal.ErrDenied) {
		t.Errorf("after a refusal: %v", err)
	}
	say(portaltest.Agree, uri)
	m, err := got.Screenshot(ctx)
	if err != nil || m.Bounds().Dx() != 30 {
		t.Fatalf("%v, %v", m, err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file of the picture: %v", err)
	}
	for _, bad := range []string{uri, "http://example.org/x.png", "file://elsewhere/x.png", "", "file:///nowhere.png", "file:///etc/passwd"} {
		say(portaltest.Agree, bad)
		if m, err := got.Screenshot(ctx); !errors.Is(err, portal.ErrFailed) {
			t.Errorf("%q: %v, %v", bad, m, err)
		}
	}
}

func TestNoPortal(t *testing.T) {
	got, err := portal.Open(t.Context(), portal.Options{Session: bustest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	ctx := soon(t)
	if _, err := got.Screenshot(ctx); !errors.Is(err, portal.ErrMissing) {
		t.Errorf("%v", err)
	}
	if _, err := got.Allow(ctx); !errors.Is(err, portal.ErrMissing) {
		t.Errorf("%v", err)
	}
	if _, err := portal.Open(ctx, portal.Options{Session: "unix:path=/nowhere"}); !errors.Is(err, portal.ErrMissing) {
		t.Errorf("%v", err)
	}
}

// A session bus that hangs accepts connections, and does not answer.
func TestOpenEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	opened := make(chan error, 1)
	go func() {
		_, err := portal.Open(ctx, portal.Options{Session: "unix:path=" + path})
		opened <- err
	}()
	select {
	case err = <-opened:
	case <-time.After(3 * time.Second):
		t.Error("it waits after the end of its context")
		_ = l.Close() // refuses the connection
		err = <-opened
	}
	if !errors.Is(err, portal.ErrMissing) {
		t.Error(err)
	}
	_ = l.Close()
}

// The programs that show the desktop's dialogs are known before the first dialog appears, including a
// backend that starts later.
func TestAsks(t *testing.T) {
	address := bustest.Start(t)
	got, err := portal.Open(t.Context(), portal.Options{Session: filtered(t, address)})
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if got.Asks(os.Getpid()) {
		t.Error("this process asks before the backend started")
	}
	conn, err := (&portaltest.Portal{}).Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the backend is known", func() bool { return got.Asks(os.Getpid()) })
	_ = conn.Close()
	waittest.Until(t, "the backend is forgotten after its end", func() bool { return !got.Asks(os.Getpid()) })
}
