// Package wire opens connections to an X server. It uses github.com/jezek/xgb and corrects
// one property of it: xgb keeps the events and errors of extensions in maps that all
// connections share, so two servers with different extensions in one process mix them up,
// and a connection that opens while another one reads ends the program. A filter between
// the socket and xgb takes every event out of the stream, hands it to its connection, and
// gives the errors of extensions a number that xgb knows.
//
// The package owns the socket, the authority file and the atoms. It must not know of
// windows, input or selections.
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

// ErrGone is the error of each request after the connection has ended.
var ErrGone = errors.New("the connection to the X server ended")

// dialTimeout is how long an X server may take to accept a connection.
const dialTimeout = 5 * time.Second

// An Event is an event of the X server. Core is set for events of the core protocol.
// Events of an extension have its name and their number within it.
type Event struct {
	Core      xgb.Event
	Extension string // "" for the core protocol
	Number    int
	Raw       []byte // 32 bytes
}

// Options of a connection.
type Options struct {
	Display   string      // like ":0"; empty: $DISPLAY
	Authority string      // the authority file; empty: $XAUTHORITY or ~/.Xauthority
	Handle    func(Event) // called for each event by one goroutine, in order; nil: events are dropped

	// Extensions are the extensions that the connection uses, by their X names.
	// Those that the server lacks are left out: see Has.
	Extensions []string
}

// A Conn is a connection to an X server. X carries its requests. Its methods can be called
// concurrently.
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
	asked time.Time // when the open question of Silent began; zero: there is none
}

// Dial connects to an X server. Its errors say which display and why. xgb writes to
// xgb.Logger that a display has no authority file or has ended; a program that shows its
// standard error silences that logger before the first Dial.
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
	// xgb prints each error of a connection that ends to stderr. The caller gets it, too.
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

// extend asks for the numbers of the extensions in one round trip.
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

// Has reports whether the server has an extension of Options.Extensions.
func (c *Conn) Has(extension string) bool {
	c.X.ExtLock.RLock()
	defer c.X.ExtLock.RUnlock()
	_, ok := c.X.Extensions[extension]
	return ok
}

// ending is how long the server may take to let a connection end.
const ending = 500 * time.Millisecond

// Close ends the connection and waits for its goroutines. It must not be called by Handle.
func (c *Conn) Close() {
	late := time.AfterFunc(ending, c.Abort) // a server that hangs takes no requests
	defer late.Stop()
	c.X.Close()
	c.filter.end()
	_ = c.filter.Close()
	c.pump.Close()
}

// Abort ends the connection at once, also while the server hangs: each request that waits for
// its answer fails. Call Close as well.
func (c *Conn) Abort() { _ = c.filter.Close() }

// Answers waits until the server has processed every request of the connection, for d at most.
// It reports whether the server did.
func (c *Conn) Answers(d time.Duration) bool {
	select {
	case <-c.gone:
		return false
	default:
	}
	done := make(chan error, 1)
	if !c.pump.Go(func() { done <- c.Sync() }) { // ends with the connection at the latest
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

// Gone is closed when the connection has ended, by Close or by the server.
func (c *Conn) Gone() <-chan struct{} { return c.gone }

// Pause waits until d is over, ctx ends with its cause, or the connection with ErrGone.
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

// Gone replaces the errors that xgb returns after the end of a connection with ErrGone.
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

// Intern makes the atoms of names known in one round trip.
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

// Atom returns the atom of a name, or 0 after the end of the connection.
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

// AtomName returns the name of an atom, or "".
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
