// Package atspi reads and drives the user interfaces of applications over AT-SPI, the accessibility bus
// of Linux desktops. It lists applications, reads the element tree of an application within a deadline,
// and performs actions after it verifies their target.
//
// The package owns one connection to the bus. It does not depend on a window system: the caller passes
// in the functions that need one. It must not depend on gRPC or MCP.
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

// The default limits for the fields of [Options] that are zero, and the fixed limits.
const (
	DefaultCall   = 2 * time.Second        // one call
	DefaultBudget = 300 * time.Millisecond // one tree
	DefaultNodes  = 50_000                 // elements of one tree
	hungFor       = 5 * time.Second        // how long a hung application is left alone
	pipelined     = 192                    // calls of one batch that may be pending at a time
)

// Options configure a [Bus]. The zero value reads trees without a window system.
type Options struct {
	// Session is the address of the session bus. If empty, it comes from the environment.
	Session string
	// Address is the address of the accessibility bus. If empty, the session bus is asked for it.
	Address string
	// Call limits the time of one call, Budget the time of one tree. 0 selects the defaults.
	Call, Budget time.Duration
	// Nodes limits the number of elements in one tree. 0 means [DefaultNodes].
	Nodes int

	// Enable asks the user whether goated may turn accessibility on, so that applications expose their
	// trees. It is called only if accessibility is off in the session. If Enable is nil, [Connect]
	// returns [ErrOff] in that case. [Bus.Close] turns accessibility off again, unless another program uses it.
	Enable func(context.Context) (bool, error)
	// Windows returns the windows of a process. GTK 4 reports positions relative to its windows only,
	// so without Windows its elements have no positions. For a program that scales its own interface,
	// the positions are wrong without Windows.
	Windows func(ctx context.Context, pid int) ([]element.Window, error)
	// Unplaced means that applications do not know where their windows are, as on Wayland. Their
	// elements then have no positions.
	Unplaced bool
	// Paste replaces the text of the focused element. If Paste is nil, text can only be written to
	// elements whose application offers a method for it.
	Paste func(ctx context.Context, text string) error
	// Own reports whether a process is goated itself. The trees of such a process are never read, and
	// its elements are never touched. If Own is nil, no process is.
	Own func(pid int) bool
	// Covered returns why a click at a point would not reach an application, or "" if it would. If
	// Covered is nil, nothing counts as covered.
	Covered func(ctx context.Context, pid int, at element.Point) (string, error)
	// Dial connects to the socket of an application. If Dial is nil, a plain net.Dialer does.
	Dial func(ctx context.Context, path string) (net.Conn, error)
}

// ErrOff means that accessibility is off in the session, so applications expose no trees.
var ErrOff = errors.New("accessibility is off in this session: applications show no elements")

// ErrNoBus means that the session has no accessibility bus.
var ErrNoBus = errors.New("this session has no accessibility bus, so applications show no elements")

// A Bus is a connection to the accessibility bus. Its methods are safe for concurrent use. The caller
// must close it.
type Bus struct {
	opts    Options
	conn    *dbus.Conn
	restore func(context.Context) error // turns accessibility off again; nil if it was already on

	mu    sync.Mutex
	apps  map[string]*app // by unique name on the bus
	known *known
	// others are the connections that are not applications, with the time to ask again those that did
	// not answer. A zero time means never.
	others map[string]time.Time
	met    map[int]process // all applications seen on this bus and on the earlier ones, by process id

	watching watches
}

// An app is the state that a Bus keeps for one connected application.
type app struct {
	info   Application
	hung   time.Time // when the last unanswered call ended; zero if the application has answered since
	asked  bool      // its toolkit is known
	fetch  *fetch    // in progress, or nil
	last   *fetch    // the last one that succeeded
	zoom   float64   // see [appTransform]; 0 if unknown
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

// open connects to the bus and registers for events, because GTK 3 and Chromium return their whole tree
// only while a client listens.
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

// dial opens a separate connection, because godbus shares its session connections.
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
// turned it on and no other program uses it by now.
func (b *Bus) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), b.opts.Call)
	defer cancel()
	off := b.restore != nil && !othersListen(ctx, b.conn)
	err := b.conn.Close()
	b.watching.wait()
	b.mu.Lock()
	for _, a := range b.apps {
		a.direct.close()
	}
	b.mu.Unlock()
	if off {
		ctx, cancel := context.WithTimeout(context.Background(), b.opts.Call)
		defer cancel()
		err = errors.Join(err, b.restore(ctx))
	}
	return err
}

// Ended returns a channel that is closed when the connection to the bus ends.
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
