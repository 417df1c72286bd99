// Package x11 lists and changes the windows of an X11 desktop. It reports each window's process, class,
// frame and state. It activates, moves, resizes, minimises, restores, maximises and closes windows,
// lists displays, and reports changes. Each change waits until its effect can be observed, or until its
// deadline.
//
// The package uses EWMH to talk to the window manager (https://specifications.freedesktop.org/wm-spec)
// and does without a window manager where it can. It owns two connections: one for requests, one for
// events. It must not depend on gRPC, tools or accessibility.
package x11

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// Most errors of this package wrap one of these, or [wire.ErrGone].
var (
	ErrNoWindow    = errors.New("the window does not exist")
	ErrRefused     = errors.New("the desktop did not do it")
	ErrUnsupported = errors.New("this desktop cannot do it")
	ErrOwn         = errors.New("goated's own windows are out of reach")
)

// settle is how long a change may take to become observable if the context has no deadline.
const settle = 2 * time.Second

// atoms are interned in one round trip when a desktop opens.
var atoms = [...]string{"_NET_SUPPORTED", "_NET_SUPPORTING_WM_CHECK", "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW",
	"_NET_WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_FRAME_EXTENTS", "_GTK_FRAME_EXTENTS", "_NET_WM_STATE", "_NET_WM_WINDOW_TYPE",
	"_NET_WM_ALLOWED_ACTIONS", "WM_NORMAL_HINTS", "WM_TRANSIENT_FOR", "WM_PROTOCOLS", "WM_STATE", "_NET_WM_DESKTOP", "_NET_CURRENT_DESKTOP",
	"WM_NAME", "WM_CHANGE_STATE", "WM_DELETE_WINDOW", "_NET_CLOSE_WINDOW", "_NET_MOVERESIZE_WINDOW", "_NET_WM_STATE_HIDDEN",
	"_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_FULLSCREEN", "_NET_WORKAREA", "_NET_WM_PING"}

// Options configure a [Desktop].
type Options struct {
	Display   string // like ":0"; empty: $DISPLAY
	Authority string // the authority file; empty: $XAUTHORITY or ~/.Xauthority

	// Own reports whether a window belongs to goated. Such windows are neither listed nor changed. If
	// Own is nil, no window belongs to goated.
	Own func(Window) bool
}

// A Desktop is an X11 display with its windows. Its methods are safe for concurrent use.
type Desktop struct {
	c      *wire.Conn // for requests
	events *wire.Conn
	own    func(Window) bool
	work   sync.WaitGroup

	changes notifier // notifies after each event

	mu       sync.Mutex
	selected map[xproto.Window]bool // windows that send their events to us
}

// Open connects to a display.
func Open(ctx context.Context, o Options) (*Desktop, error) {
	d := &Desktop{own: o.Own, selected: make(map[xproto.Window]bool), changes: notifier{listeners: make(map[chan struct{}]bool)}}
	if d.own == nil {
		d.own = func(Window) bool { return false }
	}
	var err error
	if d.c, err = wire.Dial(ctx, wire.Options{Display: o.Display, Authority: o.Authority, Extensions: []string{"RANDR", "SHAPE"}}); err != nil {
		return nil, err
	}
	changed := make(chan struct{}, 1)
	handle := func(e wire.Event) {
		switch e := e.Core.(type) {
		case xproto.PropertyNotifyEvent, xproto.ReparentNotifyEvent:
			wake(changed)
		case xproto.MapNotifyEvent:
			wake(changed)
		case xproto.DestroyNotifyEvent:
			d.mu.Lock()
			delete(d.selected, e.Window)
			d.mu.Unlock()
		}
		d.changes.notify()
	}
	if d.events, err = wire.Dial(ctx, wire.Options{Display: o.Display, Authority: o.Authority, Handle: handle}); err != nil {
		d.c.Close()
		return nil, err
	}
	if err = errors.Join(d.c.Intern(atoms[:]...), d.events.Intern("_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_SUPPORTING_WM_CHECK")); err != nil {
		d.Close()
		return nil, err
	}
	const interest = xproto.EventMaskSubstructureNotify | xproto.EventMaskPropertyChange
	xproto.ChangeWindowAttributes(d.events.X, d.events.Root, xproto.CwEventMask, []uint32{interest})
	if err := d.events.Sync(); err != nil {
		d.Close()
		return nil, err
	}
	d.selectNew()
	d.work.Go(func() { d.follow(changed) })
	return d, nil
}

// follow selects events on new windows until the connection ends.
func (d *Desktop) follow(changed chan struct{}) {
	for {
		select {
		case <-changed:
			d.selectNew()
		case <-d.events.Gone():
			return
		}
	}
}

// selectNew selects events on the windows that appeared since the last call.
func (d *Desktop) selectNew() {
	ids, _ := clients(d.events)
	const interest = xproto.EventMaskStructureNotify | xproto.EventMaskPropertyChange
	for _, w := range ids {
		d.mu.Lock()
		known := d.selected[w]
		d.selected[w] = true
		d.mu.Unlock()
		if !known {
			xproto.ChangeWindowAttributes(d.events.X, w, xproto.CwEventMask, []uint32{interest})
			d.changes.notify()
		}
	}
}

// Close ends both connections and waits for their goroutines.
func (d *Desktop) Close() {
	if d.events != nil {
		d.events.Close()
	}
	d.c.Close()
	d.work.Wait()
}

// Conn returns the connection for requests. It ends when the display ends.
func (d *Desktop) Conn() *wire.Conn { return d.c }

// Await calls done after each event of the display until done returns true or fails. If the
// context ends first, Await returns the context's cause.
func (d *Desktop) Await(ctx context.Context, done func() (bool, error)) error {
	const forever = 1<<63 - 1
	return d.await(ctx, forever, done)
}

// errLate means that await reached its own deadline.
var errLate = errors.New("late")

// recheck is how often await checks without an event, because some effects send none.
const recheck = 40 * time.Millisecond

// await calls done after each event until done returns true or an error. It returns errLate after
// limit. If the context ends first, it returns the context's cause.
func (d *Desktop) await(ctx context.Context, limit time.Duration, done func() (bool, error)) error {
	c, stop := d.changes.listen()
	defer stop()
	late := time.NewTimer(limit)
	defer late.Stop()
	tick := time.NewTicker(recheck)
	defer tick.Stop()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		select {
		case <-c:
		case <-tick.C:
		case <-late.C:
			return errLate
		case <-d.c.Gone():
			return wire.ErrGone
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
