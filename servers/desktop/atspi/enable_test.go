package atspi_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/sandbox/busfilter/busfiltertest"
	"goated/servers"
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

// Accessibility is turned on only after the user agrees, and is turned off again at the end. It stays on for
// a screen reader and for another server: it used to be turned off for everyone.
func TestAccessibilityIsAskedForAndRestored(t *testing.T) {
	if buses == nil {
		t.Skip("dbus-daemon or at-spi2-core is not installed: make tools installs them")
	}
	conn, err := dbus.Connect(buses.Session)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	status := conn.Object("org.a11y.Bus", "/org/a11y/bus")
	enabled := func() bool {
		v, err := status.GetProperty("org.a11y.Status.IsEnabled")
		if err != nil {
			t.Fatal(err)
		}
		return v.Value().(bool)
	}
	if err := status.SetProperty("org.a11y.Status.IsEnabled", dbus.MakeVariant(false)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = status.SetProperty("org.a11y.Status.IsEnabled", dbus.MakeVariant(true)) }()
	for name, ask := range map[string]func(context.Context) (bool, error){
		"without a question": nil,
		"after a no":         func(context.Context) (bool, error) { return false, nil },
	} {
		if _, err := atspi.Connect(t.Context(), atspi.Options{Session: buses.Session, Enable: ask}); !errors.Is(err, atspi.ErrOff) || enabled() {
			t.Errorf("%s: %v, and it is on: %v", name, err, enabled())
		}
	}
	reader := func(on bool) {
		if err := status.SetProperty("org.a11y.Status.ScreenReaderEnabled", dbus.MakeVariant(on)); err != nil {
			t.Fatal(err)
		}
	}
	var other *atspi.Bus
	for _, test := range []struct {
		name         string
		before, done func() // before and after the server ends
		stays        bool
	}{
		{"alone", func() {}, func() {}, false},
		{"with a screen reader", func() { reader(true) }, func() { reader(false) }, true},
		{"with another server", func() { other = connect(t, atspi.Options{}) }, func() { _ = other.Close() }, true},
	} {
		if err := status.SetProperty("org.a11y.Status.IsEnabled", dbus.MakeVariant(false)); err != nil {
			t.Fatal(err)
		}
		b, err := atspi.Connect(t.Context(), atspi.Options{Session: buses.Session, Enable: func(context.Context) (bool, error) { return true, nil }})
		if err != nil || !enabled() {
			t.Fatal(err, enabled())
		}
		test.before()
		if err := b.Close(); err != nil || enabled() != test.stays {
			t.Errorf("%s: %v; it stays on: %v", test.name, err, enabled())
		}
		test.done()
	}
	// The filter between a sandboxed server and the bus passes the question who listens.
	i := slices.IndexFunc(servers.All(), func(s servers.Server) bool { return s.Name == "desktop" })
	filtered, err := dbus.Connect(busfiltertest.Behind(t, buses.Accessibility, servers.All()[i].Filtered()[1].Rules))
	if err != nil {
		t.Fatal(err)
	}
	defer filtered.Close()
	if err := filtered.Object("org.a11y.atspi.Registry", "/org/a11y/atspi/registry").Call("org.a11y.atspi.Registry.GetRegisteredEvents", 0).Err; err != nil {
		t.Error(err)
	}
}
