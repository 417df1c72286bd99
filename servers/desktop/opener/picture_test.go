package opener

import (
	"context"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/portaltest"
)

// The host asks the portal for a picture, because the sandbox would hide it from the server. If
// there is no picture, the host tells the server why. If the server works on a hidden desktop, the
// host never shows the user's own.
func TestTheHostAsksForAPicture(t *testing.T) {
	buses, err := privatebus.Start(t.Context(), os.Environ())
	if err != nil {
		t.Skip(err)
	}
	defer buses.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", buses.Session)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	host := direct{New(Options{})}
	if _, err := AskPicture(host)(ctx); !errors.Is(err, portal.ErrMissing) {
		t.Errorf("without a portal: %v", err)
	}
	path := filepath.Join(t.TempDir(), "x.png")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, image.NewRGBA(image.Rect(0, 0, 4, 5))), f.Close()); err != nil {
		t.Fatal(err)
	}
	answers := make(chan uint32, 2)
	answers <- portaltest.Refuse
	answers <- portaltest.Agree
	conn, err := (&portaltest.Portal{Picture: func() (uint32, string) { return <-answers, "file://" + path }}).Serve(buses.Session)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var refusal *guard.Refusal
	if _, err := AskPicture(host)(ctx); !errors.As(err, &refusal) {
		t.Errorf("after a refusal: %v", err)
	}
	if m, err := AskPicture(host)(ctx); err != nil || m.Bounds().Dy() != 5 {
		t.Errorf("%v, %v", m, err)
	}
	if _, err := AskPicture(direct{New(Options{Hidden: true})})(ctx); !errors.As(err, &refusal) {
		t.Errorf("on a hidden desktop: %v", err)
	}
}
