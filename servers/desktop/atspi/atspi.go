// Package atspi reads and drives the user interfaces of applications over AT-SPI, the
// accessibility bus of Linux desktops: it lists applications, reads the tree of each
// within a deadline, and performs actions whose target it verifies first.
//
// It owns one connection to the bus. It knows no window system: the caller passes the
// functions that need one. It must not know gRPC or MCP.
package atspi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/element"
)

// The limits that hold where Options set none.
const (
	DefaultCall   = 2 * time.Second        // one call
	DefaultBudget = 300 * time.Millisecond // one tree
	DefaultNodes  = 50_000                 // of one tree
	hungFor       = 5 * time.Second        // a hung application is left alone for so long
	pipelined     = 192                    // calls of one batch that are open at a time
)

// Options configure a [Bus]. The zero value reads trees and needs no window system.
type Options struct {
	// Session is the address of the session bus; empty: the one in the environment.
	Session string
	// Address is the address of the accessibility bus; empty: the session bus knows it.
	Address string
	// Call limits one call, Budget one tree; 0: the defaults.
	Call, Budget time.Duration
	// Nodes limits the elements of one tree; 0: [DefaultNodes].
	Nodes int

	// Enable asks the user whether applications may be asked to open their trees. It
	// is called only if accessibility is off in the session. nil: [Connect] returns
	// [ErrOff] then. [Bus.Close] turns it off again.
	Enable func(context.Context) (bool, error)
	// Windows returns the windows of a process. GTK 4 reports places within its
	// windows only, so without Windows its elements have none. Those of a program that
	// enlarges itself are wrong without it.
	Windows func(ctx context.Context, pid int) ([]element.Window, error)
	// Unplaced says that applications do not know where their windows are, as on Wayland: their
	// elements have no places.
	Unplaced bool
	// Paste replaces the text of the focused element. nil: text is written only where
	// the application offers a function for it.
	Paste func(ctx context.Context, text string) error
	// Own reports whether goated itself runs as this process. Its trees are never read
	// and its elements never touched. nil: none is its own.
	Own func(pid int) bool
	// Covered returns why a click at a point would not reach an application; "": it
	// would. nil: nothing is covered.
	Covered func(ctx context.Context, pid int, at element.Point) (string, error)
	// Dial connects to the socket of an application; nil: directly.
	Dial func(ctx context.Context, path string) (net.Conn, error)
}

// ErrOff says that accessibility is off in the session, so that applications show no
// trees.
var ErrOff = errors.New("accessibility is off in this session: applications show no elements")

// ErrNoBus says that the session has no accessibility bus.
var ErrNoBus = errors.New("this session has no accessibility bus, so applications show no elements")

// A Bus is a connection to the accessibility bus. Its methods are safe for concurrent
// use. Close it.
type Bus struct {
	opts    Options
	conn    *dbus.Conn
	restore func(context.Context) error // turns accessibility off again; nil: it was on

	mu    sync.Mutex
	apps  map[string]*app // by unique name on the bus
	known *known
	// others are connections that are no applications, and when to ask again one that did not
	// answer; zero: never.
	others map[string]time.Time
	met    map[int]process // all that were applications, here and on the buses before

	watching watches
}

// An app is what the bus knows about one connected application.
type app struct {
	info   Application
	hung   time.Time // the last call that got no answer; zero: it answered since
	asked  bool      // its toolkit is known
	fetch  *fetch    // that runs; nil: none does
	last   *fetch    // the last that succeeded
	zoom   float64   // see [zoomOf]; 0: unknown
	direct directConn
}

// Connect connects to the accessibility bus of the session.
func Connect(ctx context.Context, o Options) (*Bus, error) {
	o.Call, o.Budget, o.Nodes = cmp.Or(o.Call, DefaultCall), cmp.Or(o.Budget, DefaultBudget), cmp.Or(o.Nodes, DefaultNodes)
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	b := &Bus{opts: o, apps: make(map[string]*app), known: newKnown(), met: make(map[int]process)}
	if o.Address == "" {
		var err error
		if o.Address, b.restore, err = address(ctx, o); err != nil {
			return nil, err
		}
	}
	err := b.open(ctx, o.Address)
	if err != nil {
		if b.restore != nil {
			_ = b.restore(context.WithoutCancel(ctx))
		}
		return nil, fmt.Errorf("connecting to the accessibility bus: %w", err)
	}
	return b, nil
}

// open connects, and registers for events: GTK 3 and Chromium answer for their whole tree only
// while a program listens.
func (b *Bus) open(ctx context.Context, address string) error {
	conn, err := dial(ctx, address)
	if err != nil {
		return err
	}
	b.conn = conn
	registry := conn.Object(registryName, registryPath)
	for _, event := range registered {
		call := registry.CallWithContext(ctx, registryIface+".RegisterEvent", 0, event)
		if call.Err != nil {
			_ = conn.Close()
			return fmt.Errorf("registering for events: %w", call.Err)
		}
	}
	return nil
}

// dial opens a separate connection, because godbus shares the connections of the session.
func dial(ctx context.Context, address string) (*dbus.Conn, error) {
	conn, err := dbus.Dial(address)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { // ends with the connection, which the caller closes on an error
		if err := conn.Auth(nil); err != nil {
			done <- err
			return
		}
		done <- conn.Hello()
	}()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// Close disconnects, ends all watches, and turns accessibility off again if Connect
// turned it on.
func (b *Bus) Close() error {
	err := b.conn.Close()
	b.watching.wait()
	b.mu.Lock()
	for _, a := range b.apps {
		a.direct.close()
	}
	b.mu.Unlock()
	if b.restore != nil {
		ctx, cancel := context.WithTimeout(context.Background(), b.opts.Call)
		defer cancel()
		err = errors.Join(err, b.restore(ctx))
	}
	return err
}

// Ended is closed when the bus is gone.
func (b *Bus) Ended() <-chan struct{} { return b.conn.Context().Done() }

const (
	registryName  = "org.a11y.atspi.Registry"
	registryPath  = "/org/a11y/atspi/registry"
	registryIface = "org.a11y.atspi.Registry"
	rootPath      = "/org/a11y/atspi/accessible/root"
	nullPath      = "/org/a11y/atspi/null"

	accessibleIface  = "org.a11y.atspi.Accessible"
	actionIface      = "org.a11y.atspi.Action"
	applicationIface = "org.a11y.atspi.Application"
	cacheIface       = "org.a11y.atspi.Cache"
	componentIface   = "org.a11y.atspi.Component"
	editableIface    = "org.a11y.atspi.EditableText"
	selectionIface   = "org.a11y.atspi.Selection"
	textIface        = "org.a11y.atspi.Text"
	valueIface       = "org.a11y.atspi.Value"
	propertiesIface  = "org.freedesktop.DBus.Properties"
)

// registered are the events that Connect registers for.
var registered = []string{
	"object:children-changed", "object:state-changed", "object:property-change",
	"object:text-changed", "window:create", "window:destroy", "window:activate",
}
