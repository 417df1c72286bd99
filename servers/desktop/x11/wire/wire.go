// Package wire opens connections to an X server. It uses github.com/jezek/xgb and works around a fault
// in it. xgb keeps the events and errors of extensions in maps that all connections share. So two
// servers with different extensions in one process get mixed up, and opening a connection while another
// one reads crashes the program. A filter between the socket and xgb removes every event from the
// stream, passes it to its own connection, and gives the errors of extensions a number that xgb
// accepts.
//
// The package owns the socket, the authority file and the atoms. It must not depend on windows, input
// or selections.
package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"goated/internal/goroutines"
)

// ErrGone is returned by every request after the connection has ended.
var ErrGone = errors.New("the connection to the X server ended")

// dialTimeout is how long an X server may take to accept a connection.
const dialTimeout = 5 * time.Second

// An Event is an event of the X server. Core is set for events of the core protocol. For an event of an
// extension, Extension is its name, and Number counts from its first event.
type Event struct {
	Core      xgb.Event
	Extension string // "" for the core protocol
	Number    int
	Raw       []byte // 32 bytes
}

// Options configure a [Conn].
type Options struct {
	Display   string      // like ":0"; empty: $DISPLAY
	Authority string      // the authority file; empty: $XAUTHORITY or ~/.Xauthority
	Handle    func(Event) // called for each event in order, on one goroutine; nil drops events

	// Extensions are the X names of the extensions that the connection uses. Extensions that the server
	// lacks are omitted: see Has.
	Extensions []string
}

// A Conn is a connection to an X server. Requests are sent through X. Its methods are safe for
// concurrent use.
type Conn struct {
	X      *xgb.Conn
	Root   xproto.Window
	Screen *xproto.ScreenInfo
	Setup  *xproto.SetupInfo

	filter *filter
	pump   goroutines.Group
	gone   chan struct{} // closed when the connection has ended

	mu    sync.Mutex
	atoms map[string]xproto.Atom
	names map[xproto.Atom]string
	asked time.Time // when the open question of Silent was sent; zero if there is none
}

// Dial connects to an X server. Its errors contain the display and the reason.
func Dial(ctx context.Context, o Options) (*Conn, error) {
	where, err := parse(o.Display)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	socket, err := where.dial(ctx)
	if err != nil {
		return nil, fmt.Errorf("connecting to the display %s: %w", where.name, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = socket.Close() })
	// xgb prints each error of a connection that ends to stderr. The caller gets it anyway.
	xgb.Logger.SetOutput(io.Discard)
	f := newFilter(socket, where.greeting(o.Authority))
	x, err := xgb.NewConnNet(f)
	if !stop() || err != nil {
		_ = socket.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("the X server does not answer: %w", ctx.Err())
		}
		return nil, fmt.Errorf("connecting to the display %s: %w", where.name, err)
	}
	c := &Conn{X: x, filter: f, gone: make(chan struct{}), Setup: xproto.Setup(x),
		atoms: make(map[string]xproto.Atom), names: make(map[xproto.Atom]string)}
	if where.screen >= len(c.Setup.Roots) {
		_ = socket.Close()
		return nil, fmt.Errorf("the display %s has %d screens: screen %d does not exist", where.name, len(c.Setup.Roots), where.screen)
	}
	c.Screen = &c.Setup.Roots[where.screen]
	c.Root = c.Screen.Root
	c.pump.Go(func() { // the errors of requests without a reply; the channel of xgb must not fill up
		for {
			if e, err := x.WaitForEvent(); e == nil && err == nil {
				f.end()
				close(c.gone)
				return
			}
		}
	})
	c.pump.Go(func() {
		for {
			e, ok := f.next()
			if !ok {
				return
			}
			if o.Handle != nil {
				o.Handle(e)
			}
		}
	})
	if err := c.extend(o.Extensions); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// extend requests the opcodes of the extensions in one round trip.
func (c *Conn) extend(names []string) error {
	cookies := make([]xproto.QueryExtensionCookie, len(names))
	for i, n := range names {
		cookies[i] = xproto.QueryExtension(c.X, uint16(len(n)), n)
	}
	for i, n := range names {
		r, err := cookies[i].Reply()
		if err != nil {
			return fmt.Errorf("asking the X server for %s: %w", n, Gone(err))
		}
		if !r.Present {
			continue
		}
		c.X.ExtLock.Lock()
		c.X.Extensions[n] = r.MajorOpcode
		c.X.ExtLock.Unlock()
		c.filter.extension(n, int(r.FirstEvent))
	}
	return nil
}

// Has reports whether the server supports an extension from Options.Extensions.
func (c *Conn) Has(extension string) bool {
	c.X.ExtLock.RLock()
	defer c.X.ExtLock.RUnlock()
	_, ok := c.X.Extensions[extension]
	return ok
}

// ending is how long Close waits for the server before it aborts the connection.
const ending = 500 * time.Millisecond

// Close ends the connection and waits for its goroutines. Handle must not call it.
func (c *Conn) Close() {
	late := time.AfterFunc(ending, c.Abort) // a server that hangs accepts no requests
	defer late.Stop()
	c.X.Close()
	c.filter.end()
	_ = c.filter.Close()
	c.pump.Close()
}

// Abort ends the connection at once, even if the server hangs, so that every waiting request fails.
// Call Close as well.
func (c *Conn) Abort() { _ = c.filter.Close() }

// Answers waits up to d until the server has processed every request of the connection, and reports
// whether it did.
func (c *Conn) Answers(d time.Duration) bool {
	select {
	case <-c.gone:
		return false
	default:
	}
	done := make(chan error, 1)
	if !c.pump.Go(func() { done <- c.Sync() }) { // ends with the connection, if not before
		return false
	}
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case err := <-done:
		return err == nil
	case <-late.C:
		return false
	}
}

// Gone returns a channel that is closed when the connection has ended, either by Close or by the
// server.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Pause waits for d. It returns early with the context's cause if ctx ends, or with ErrGone if the
// connection ends.
func (c *Conn) Pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.gone:
		return ErrGone
	}
}

// Gone converts the errors that xgb returns after the end of a connection to ErrGone.
func Gone(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		return ErrGone
	}
	return err
}

// Sync waits until the server has processed every request of the connection.
func (c *Conn) Sync() error {
	_, err := xproto.GetInputFocus(c.X).Reply()
	return Gone(err)
}

// Intern looks up the atoms of several names in one round trip.
func (c *Conn) Intern(names ...string) error {
	var missing []string
	c.mu.Lock()
	for _, n := range names {
		if _, ok := c.atoms[n]; !ok {
			missing = append(missing, n)
		}
	}
	c.mu.Unlock()
	cookies := make([]xproto.InternAtomCookie, len(missing))
	for i, n := range missing {
		cookies[i] = xproto.InternAtom(c.X, false, uint16(len(n)), n)
	}
	for i, n := range missing {
		r, err := cookies[i].Reply()
		if err != nil {
			return fmt.Errorf("interning the atom %s: %w", n, Gone(err))
		}
		c.mu.Lock()
		c.atoms[n], c.names[r.Atom] = r.Atom, n
		c.mu.Unlock()
	}
	return nil
}

// Atom returns the atom of a name, or 0 if the connection has ended.
func (c *Conn) Atom(name string) xproto.Atom {
	c.mu.Lock()
	a, ok := c.atoms[name]
	c.mu.Unlock()
	if !ok && c.Intern(name) == nil {
		c.mu.Lock()
		a = c.atoms[name]
		c.mu.Unlock()
	}
	return a
}

// AtomName returns the name of an atom, or "" if it cannot be read.
func (c *Conn) AtomName(a xproto.Atom) string {
	if a == 0 {
		return ""
	}
	c.mu.Lock()
	n, ok := c.names[a]
	c.mu.Unlock()
	if ok {
		return n
	}
	r, err := xproto.GetAtomName(c.X, a).Reply()
	if err != nil {
		return ""
	}
	c.mu.Lock()
	c.names[a] = strings.Clone(r.Name)
	c.mu.Unlock()
	return r.Name
}
