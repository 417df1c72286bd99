package atspi_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/servers/desktop/atspi"
)

// A session bus that does not answer in time does not count as a session without accessibility, because
// its programs may show password fields.
func TestASlowSessionBusIsNotAMissingOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // connections stay in its queue and get no answer
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := atspi.Connect(ctx, atspi.Options{Session: "unix:path=" + path}); errors.Is(err, atspi.ErrNoBus) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a silent bus: %v", err)
	}
	if _, err := atspi.Connect(t.Context(), atspi.Options{Session: "unix:path=" + path + "-missing"}); !errors.Is(err, atspi.ErrNoBus) {
		t.Errorf("a missing bus: %v", err)
	}
}

// A failing returns an error when asked whether accessibility is on.
type failing struct{ name string }

func (f failing) Get(string, string) (dbus.Variant, *dbus.Error) {
	return dbus.Variant{}, dbus.NewError(f.name, []any{"it failed"})
}

// There is no accessibility bus only if the session bus does not know the name. After any other error,
// programs may still show password fields.
func TestAFailingAccessibilityBusIsNotAMissingOne(t *testing.T) {
	address := bustest.Start(t)
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.RequestName("org.a11y.Bus", 0); err != nil {
		t.Fatal(err)
	}
	const prefix = "org.freedesktop.DBus.Error."
	for name, missing := range map[string]bool{
		prefix + "ServiceUnknown": true, prefix + "NameHasNoOwner": true, prefix + "Spawn.ServiceNotFound": true,
		"org.freedesktop.systemd1.UnitMasked": true,
		prefix + "TimedOut":                   false, prefix + "NoReply": false, prefix + "Spawn.ChildExited": false, prefix + "LimitsExceeded": false,
		prefix + "AccessDenied": false,
	} {
		if err := conn.Export(failing{name}, "/org/a11y/bus", "org.freedesktop.DBus.Properties"); err != nil {
			t.Fatal(err)
		}
		if _, err := atspi.Connect(t.Context(), atspi.Options{Session: address}); err == nil || errors.Is(err, atspi.ErrNoBus) != missing {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, none := range []string{"unix:abstract=goated-no-such-bus", "disabled:", "/dev/null"} {
		if _, err := atspi.Connect(t.Context(), atspi.Options{Session: none}); !errors.Is(err, atspi.ErrNoBus) {
			t.Errorf("%s: %v", none, err)
		}
	}
}
