package access

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/waittest"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/atspi/privatebus"
	"goated/servers/desktop/guard"
)

// A session is a session bus that reports the address of an accessibility bus.
type session struct {
	bus string // address of the session bus

	mu      sync.Mutex
	on      bool   // whether accessibility is on
	address string // address of the accessibility bus
}

func (s *session) Get(_, name string) (dbus.Variant, *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return dbus.MakeVariant(s.on && name == "IsEnabled"), nil
}

func (s *session) Set(_, _ string, v dbus.Variant) *dbus.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on, _ = v.Value().(bool)
	return nil
}

func (s *session) GetAddress() (string, *dbus.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.address, nil
}

func (s *session) enabled() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.on
}

// connect connects to the session's accessibility bus, for an Access. The user agrees to turn on
// accessibility.
func (s *session) connect(ctx context.Context) (*atspi.Bus, error) {
	return atspi.Connect(ctx, atspi.Options{Session: s.bus, Enable: func(context.Context) (bool, error) { return true, nil }})
}

// offer connects to a bus and owns a name there until the test ends.
func offer(t *testing.T, address, name string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if _, err := conn.RequestName(name, 0); err != nil {
		t.Fatal(err)
	}
	return conn
}

func export(t *testing.T, conn *dbus.Conn, methods any, path dbus.ObjectPath, face string) {
	t.Helper()
	if err := conn.Export(methods, path, face); err != nil {
		t.Fatal(err)
	}
}

func openSession(t *testing.T) *session {
	t.Helper()
	s := &session{bus: bustest.Start(t)}
	conn := offer(t, s.bus, "org.a11y.Bus")
	export(t, conn, s, "/org/a11y/bus", "org.freedesktop.DBus.Properties")
	export(t, conn, s, "/org/a11y/bus", "org.a11y.Bus")
	return s
}

// A registry lists no applications.
type registry struct{}

func (registry) RegisterEvent(string) *dbus.Error { return nil }

func (registry) GetChildren() ([][]any, *dbus.Error) { return nil, nil }

// serve starts an accessibility bus for the session and returns the connection of its registry. The
// bus runs until the test ends.
func (s *session) serve(t *testing.T) *dbus.Conn {
	t.Helper()
	address := bustest.Start(t)
	s.mu.Lock()
	s.address = address
	s.mu.Unlock()
	return s.register(t, address)
}

// register starts the registry of an accessibility bus.
func (s *session) register(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	conn := offer(t, address, "org.a11y.atspi.Registry")
	export(t, conn, registry{}, "/org/a11y/atspi/registry", "org.a11y.atspi.Registry")
	export(t, conn, registry{}, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Accessible")
	return conn
}

// The connection that turned accessibility on turns it off when it ends. After a lost connection,
// the old one ends before the new one begins, so that accessibility stays on while the bus is
// connected.
func TestAccessibilityIsOnAfterALostConnection(t *testing.T) {
	s := openSession(t)
	a := New(s.connect)
	t.Run("first", func(t *testing.T) {
		s.serve(t)
		if _, err := a.Bus(t.Context()); err != nil || !s.enabled() {
			t.Fatalf("%v; accessibility is on: %t", err, s.enabled())
		}
	})
	waittest.Until(t, "the end of the first bus", func() bool { return a.open() == nil })
	s.serve(t)
	if _, err := a.Bus(t.Context()); err != nil || !s.enabled() {
		t.Errorf("%v; accessibility is on: %t", err, s.enabled())
	}
	a.Close()
	if s.enabled() {
		t.Error("accessibility stays on after the end")
	}
}

// After a session had an accessibility bus, programs may still describe password fields on it to
// others. Keys are refused even though the session bus no longer reports the accessibility bus.
func TestAnAccessibilityBusThatWasThereIsNotMissing(t *testing.T) {
	s := openSession(t)
	gone := false
	a := New(func(ctx context.Context) (*atspi.Bus, error) {
		if gone {
			return nil, fmt.Errorf("%w (a reason)", atspi.ErrNoBus)
		}
		return s.connect(ctx)
	})
	t.Run("first", func(t *testing.T) {
		s.serve(t)
		if _, err := a.Bus(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	waittest.Until(t, "the end of the bus", func() bool { return a.open() == nil })
	gone = true
	for range 2 {
		if f, err := a.Focus(t.Context(), 1); !errors.Is(err, ErrUnreachable) {
			t.Errorf("keys go into %+v, %v", f, err)
		}
	}
}

// Without the registry it is unknown which programs show password fields. Keys are refused until
// the registry is back.
func TestKeysAreRefusedWithoutTheRegistry(t *testing.T) {
	s := openSession(t)
	a := New(s.connect)
	defer a.Close()
	conn := s.serve(t)
	ask := func(want error) {
		t.Helper()
		a.Forget()
		if f, err := a.Focus(t.Context(), 1); !errors.Is(err, want) {
			t.Errorf("keys go into %+v, %v; want %v", f, err, want)
		}
		if _, err := a.Secrets(t.Context()); !errors.Is(err, want) {
			t.Errorf("secrets: %v; want %v", err, want)
		}
	}
	ask(nil)
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ask(ErrUnreachable)
	}
	s.register(t, s.address)
	a.mu.Lock()
	a.failed = time.Time{} // as if some time had passed
	a.mu.Unlock()
	ask(nil)
}

// form returns an application whose password field has the focus.
func form() *atspitest.App {
	return &atspitest.App{Item: func(id int) atspitest.Item {
		switch id {
		case 0:
			return atspitest.Item{Role: uint32(atspi.RoleApplication), Name: "form", Toolkit: "test", Children: []int{1}}
		case 1:
			return atspitest.Item{Role: uint32(atspi.RoleFrame), States: atspitest.Shown, Children: []int{2}}
		}
		return atspitest.Item{Role: uint32(atspi.RolePasswordText), States: atspitest.Shown | 1<<atspi.StateFocused, Parent: 1}
	}}
}

// ids returns the ids of the elements of this process.
func ids(t *testing.T, a *Access) (list []string) {
	t.Helper()
	bus, err := a.Bus(t.Context())
	var app atspi.Application
	if err == nil {
		app, err = bus.Application(t.Context(), os.Getpid())
	}
	var tree *atspi.Tree
	if err == nil {
		tree, err = bus.Snapshot(t.Context(), app)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i := range tree.Nodes {
		list = append(list, tree.Element(i).ID)
	}
	return list
}

// After a crash, the registry of a real bus starts again at the next connection. A program may not
// register again. Its password field was treated as an ordinary field then.
func TestTheRegistryStartsAgain(t *testing.T) {
	buses, err := privatebus.Start(t.Context(), os.Environ())
	if err != nil {
		t.Skip(err)
	}
	defer buses.Close()
	a := New(func(ctx context.Context) (*atspi.Bus, error) {
		return atspi.Connect(ctx, atspi.Options{Address: buses.Accessibility})
	})
	defer a.Close()
	if err := form().Serve(t.Context(), buses.Accessibility); err != nil {
		t.Fatal(err)
	}
	if f, err := a.Focus(t.Context(), os.Getpid()); err != nil || !f.Secure {
		t.Fatalf("keys go into %+v, %v", f, err)
	}
	before := ids(t, a)
	conn, err := dbus.Connect(buses.Accessibility)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const name = "org.a11y.atspi.Registry"
	var pid uint32
	if err := conn.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0, name).Store(&pid); err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(int(pid))
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the end of the registry", func() bool {
		var has bool
		return conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, name).Store(&has) == nil && !has
	})
	a.Forget()
	if f, err := a.Focus(t.Context(), 1); !errors.Is(err, ErrUnreachable) {
		t.Errorf("without it keys go into %+v, %v", f, err)
	}
	if _, err := a.Focus(t.Context(), 1); err != nil {
		t.Errorf("it does not start again: %v", err)
	}
	if f, err := a.Focus(t.Context(), os.Getpid()); err != nil || !f.Secure {
		t.Errorf("then keys go into %+v, %v", f, err)
	}
	if s, err := a.Secrets(t.Context()); err != nil || len(s.Unplaced) != 1 {
		t.Errorf("secrets: %+v, %v", s, err)
	}
	for _, id := range ids(t, a) { // otherwise an old id would name another element
		if slices.Contains(before, id) {
			t.Errorf("the id %s of the first connection is used again", id)
		}
	}
}

// A root is the least that an application shows of itself.
type root struct{}

func (root) GetRole() (uint32, *dbus.Error) { return uint32(atspi.RoleApplication), nil }

func (root) GetChildren() ([][]any, *dbus.Error) { return nil, nil }

// After the accessibility bus restarts, a running program may not connect to it again. Its password
// field was treated as an ordinary field then.
func TestAProgramThatIsNotOnTheNextBusIsLost(t *testing.T) {
	s := openSession(t)
	a := New(s.connect)
	defer a.Close()
	t.Run("first", func(t *testing.T) {
		s.serve(t)
		conn := offer(t, s.address, "test.program")
		export(t, conn, root{}, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Accessible")
		if f, err := a.Focus(t.Context(), os.Getpid()); err != nil || f != (guard.Field{}) {
			t.Fatalf("keys go into %+v, %v", f, err)
		}
	})
	waittest.Until(t, "the end of the first bus", func() bool { return a.open() == nil })
	s.serve(t)
	a.Forget()
	var lost *atspi.LostError
	if f, err := a.Focus(t.Context(), os.Getpid()); !errors.As(err, &lost) {
		t.Errorf("keys go into %+v, %v", f, err)
	}
	if _, err := a.Terminals(t.Context(), os.Getpid()); !errors.Is(err, guard.ErrBlind) {
		t.Errorf("a drop is allowed: %v", err)
	}
	if s, err := a.Secrets(t.Context()); err != nil || len(s.Silent) != 1 {
		t.Errorf("secrets: %+v, %v", s, err)
	}
	if f, err := a.Focus(t.Context(), 1); err != nil { // this process never had elements
		t.Errorf("keys of another program go into %+v, %v", f, err)
	}
}
