package atspi_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/internal/sandbox/busfilter/busfiltertest"
	"goated/servers"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/element"
	"goated/servers/desktop/selector"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

// desk is the desktop that all tests of the package share. buses are its buses.
var (
	desk  x11test.Desk
	buses *privatebus.Bus
)

func TestMain(m *testing.M) {
	os.Exit(func() int {
		display, err := hidden.Start(context.Background(), hidden.Options{})
		if err == nil {
			defer display.Close()
			buses, err = privatebus.Start(context.Background(), display.Environ(os.Environ()))
		}
		switch {
		case errors.Is(err, hidden.ErrMissing) || errors.Is(err, privatebus.ErrMissing):
		case err != nil:
			fmt.Fprintln(os.Stderr, err)
			return 1
		default:
			defer buses.Close()
		}
		desk.Desktop = display
		return m.Run()
	}())
}

// connect opens the accessibility bus and closes it at the end of the test.
func connect(t testing.TB, o atspi.Options) *atspi.Bus {
	t.Helper()
	if buses == nil {
		t.Skip("Xvfb, dbus-daemon or at-spi2-core is not installed: make tools installs them")
	}
	i := slices.IndexFunc(servers.All(), func(s servers.Server) bool { return s.Name == "desktop" })
	through := servers.All()[i].Filtered()
	o.Session = busfiltertest.Behind(t, buses.Session, through[0].Rules)
	told, err := atspi.Connect(t.Context(), o) // at the address that the session bus returns
	if err != nil {
		t.Fatal(err)
	}
	if err := told.Close(); err != nil {
		t.Error(err)
	}
	o.Address = busfiltertest.Behind(t, buses.Accessibility, through[1].Rules)
	o.Dial = func(ctx context.Context, path string) (net.Conn, error) {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		var d net.Dialer
		return d.DialContext(ctx, "unix", strings.TrimPrefix(busfiltertest.Behind(t, "unix:path="+path, through[1].Rules), "unix:path="))
	}
	return reach(t, o)
}

// reach opens the accessibility bus at an address and closes it at the end of the test.
func reach(t testing.TB, o atspi.Options) *atspi.Bus {
	t.Helper()
	b, err := atspi.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// start runs a program on the desktop until the test ends, and returns its process id.
func start(t testing.TB, name string, args ...string) (pid int) {
	t.Helper()
	desk.Need(t, name)
	cmd := exec.Command(name, args...)
	cmd.Env = append(buses.Environ(desk.Environ(os.Environ())), "HOME="+t.TempDir(), "LC_ALL=C.UTF-8", "LANGUAGE=en", "GSETTINGS_BACKEND=memory")
	return desk.Run(t, cmd)
}

// tree waits until an application shows an element with a role, and returns the application's tree.
func tree(t testing.TB, b *atspi.Bus, pid int, role string) *atspi.Tree {
	t.Helper()
	var found *atspi.Tree
	var failure error
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the last tree of %d was %v, %v; the windows:\n%s", pid, found, failure, desk.Output(t, "wmctrl", "-lpx"))
		}
	})
	desk.Until(t, "tree with a "+role, func() bool {
		var a atspi.Application
		if a, failure = b.Application(t.Context(), pid); failure != nil {
			return false
		}
		if found, failure = b.Snapshot(t.Context(), a); failure != nil {
			return false
		}
		return len(find(t, found, "role:"+role)) > 0
	})
	return found
}

// find returns the nodes that match a selector and are on the screen.
func find(t testing.TB, tree *atspi.Tree, text string) []int {
	t.Helper()
	pb, err := selector.ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := selector.Parse(pb)
	if err != nil {
		t.Fatal(err)
	}
	return tree.Find(t.Context(), atspi.Query{Selector: s, Visible: true})
}

// one returns the only element that matches a selector. On a busy machine an application may describe
// only a part of itself at first, so one retries until it finds the element.
func one(t testing.TB, b *atspi.Bus, tree *atspi.Tree, text string) (element.Element, atspi.Target) {
	t.Helper()
	found := find(t, tree, text)
	for end := time.Now().Add(20 * time.Second); len(found) != 1 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if now, err := b.Snapshot(t.Context(), tree.App); err == nil { // on an error it did not answer in time
			tree, found = now, find(t, now, text)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d elements fit %s, want one:\n%s", len(found), text, tree)
	}
	tree.Fetch(t.Context(), found, element.AllFields)
	e := tree.Element(found[0])
	target, ok := b.Target(e.ID)
	if !ok {
		t.Fatalf("%s has no target", e.ID)
	}
	return e, target
}

// windows returns a function that lists the windows of a process in the same way as the backend.
func windows(d *x11.Desktop) func(context.Context, int) ([]element.Window, error) {
	rect := func(r x11.Rect) element.Rect {
		return element.Rect{X: float64(r.X), Y: float64(r.Y), Width: float64(r.W), Height: float64(r.H)}
	}
	return func(_ context.Context, pid int) (list []element.Window, err error) {
		all, err := d.Windows()
		for _, w := range all {
			if w.PID == pid {
				list = append(list, element.Window{ID: uint64(w.ID), PID: w.PID, Title: w.Title, Class: w.Class, Bounds: rect(w.Frame), Client: rect(w.Client)})
			}
		}
		return list, err
	}
}

// serve runs a fake application, and returns it as the bus lists it.
func serve(t testing.TB, b *atspi.Bus, app *atspitest.App) atspi.Application {
	t.Helper()
	if err := app.Serve(t.Context(), buses.Accessibility); err != nil {
		t.Fatal(err)
	}
	name := app.Item(0).Name
	var found atspi.Application
	desk.Until(t, "application "+name, func() bool {
		list, err := b.Applications(t.Context())
		if errors.Is(err, atspi.ErrRegistry) {
			return false // the application before this one still answers what nobody waits for
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if a.PID == os.Getpid() && a.Name == name {
				found = a
				return true
			}
		}
		return false
	})
	return found
}

// within fails the test if f takes longer than a limit.
func within(t testing.TB, limit time.Duration, what string, f func()) {
	t.Helper()
	begin := time.Now()
	f()
	if took := time.Since(begin); took > limit {
		t.Errorf("%s took %v, more than %v", what, took, limit)
	}
}
