package hidden

import (
	"errors"
	"runtime"
	"testing"

	"goated/internal/waittest"
)

// With Pdeathsig, Linux kills a child when the thread that started it ends, and Go ends threads. A
// desktop must not end together with a thread of goated.
func TestADesktopOutlivesTheThreadThatStartedIt(t *testing.T) {
	var d *Desktop
	var err error
	started := make(chan struct{})
	go func() {
		defer close(started)
		runtime.LockOSThread() // without unlocking, so the thread ends
		d, err = Start(t.Context(), Options{Width: 64, Height: 64, Bare: true})
	}()
	waittest.Receive(t, "the hidden desktop starts", started)
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for range 20 { // a killed server is gone by the last one
		if w, h, err := d.Size(t.Context()); err != nil || w != 64 || h != 64 {
			t.Fatalf("%d × %d, %v", w, h, err)
		}
	}
}

// Another process uses a desktop that it did not start, and does not end it.
func TestAttach(t *testing.T) {
	d, err := Start(t.Context(), Options{Width: 80, Height: 64, Bare: true})
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	other, err := Attach(d.Display, d.Cookie())
	if err != nil {
		t.Fatal(err)
	}
	if w, _, err := other.Size(t.Context()); err != nil || w != 80 {
		t.Errorf("%d, %v", w, err)
	}
	other.Close()
	if w, _, err := d.Size(t.Context()); err != nil || w != 80 {
		t.Errorf("after the other closed: %d, %v", w, err)
	}
	wrong, err := Attach(d.Display, newCookie())
	if err != nil {
		t.Fatal(err)
	}
	defer wrong.Close()
	if _, _, err := wrong.Size(t.Context()); err == nil {
		t.Error("a wrong cookie opens the display")
	}
	for _, display := range []string{"", ":", "host:1", ":1.0", "unix:/tmp/x"} {
		if _, err := Attach(display, d.Cookie()); err == nil {
			t.Errorf("%q is a display", display)
		}
	}
}
