package backend

import (
	"context"
	"errors"
	"sync"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/guard"
)

// An access is the connection to the accessibility bus. It opens when it is needed first.
type access struct {
	mu     sync.Mutex
	bus    *atspi.Bus
	failed time.Time // when it last did not open
	why    error

	asked time.Time // when the guard last asked about the field that has the keys
	pid   int       // the process
	field guard.Field
}

// fresh is how long the answer of a program about the field with the keys holds. Each input,
// and each line and field of a text, begins with a new question.
const fresh = 250 * time.Millisecond

// forget lets the next key ask again.
func (a *access) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = time.Time{}
}

// known returns the answer about a process if it still holds.
func (a *access) known(pid int) (f guard.Field, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.field, a.pid == pid && time.Since(a.asked) < fresh
}

func (a *access) note(pid int, f guard.Field) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked, a.pid, a.field = time.Now(), pid, f
}

// again is how long the guard waits after a failure before it tries to connect again.
const again = 30 * time.Second

func (a *access) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bus != nil {
		_ = a.bus.Close()
		a.bus = nil
	}
}

// elements returns the accessibility bus, and connects to it first if necessary.
func (c *core) elements(ctx context.Context) (*atspi.Bus, error) {
	a := &c.access
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bus != nil {
		select {
		case <-a.bus.Ended():
			_ = a.bus.Close()
			a.bus = nil
		default:
			return a.bus, nil
		}
	}
	o := atspi.Options{Session: c.o.Session, Enable: c.o.Enable, Own: c.guard.OwnsPID, Unplaced: c.wl != nil}
	if c.workplace != nil {
		o.Enable = func(context.Context) (bool, error) { return true, nil }
	}
	if c.x != nil {
		o.Windows, o.Paste, o.Covered = c.x.windowsOf, c.x.replace, c.x.covered
	}
	bus, err := atspi.Connect(ctx, o)
	if err != nil {
		a.failed, a.why = time.Now(), fault(err)
		return nil, a.why
	}
	a.bus, a.why = bus, nil
	return bus, nil
}

// guarding returns the accessibility bus for the guard. It is nil in a session without one,
// where no program describes its fields.
func (c *core) guarding(ctx context.Context) *atspi.Bus {
	c.access.mu.Lock()
	wait := c.access.why != nil && time.Since(c.access.failed) < again
	c.access.mu.Unlock()
	if wait {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	bus, err := c.elements(ctx)
	if err != nil {
		return nil
	}
	return bus
}

const (
	// connectTimeout bounds the connection that the guard opens.
	connectTimeout = 2 * time.Second
	// secureTimeout bounds the question which field has the keys: a busy program is waited for.
	secureTimeout = 4 * time.Second
)

// focus says into what keys of a process would go. Programs without a tree show no password
// fields to anyone.
func (c *core) focus(ctx context.Context, pid int) (guard.Field, error) {
	if f, ok := c.access.known(pid); ok {
		return f, nil
	}
	bus := c.guarding(ctx)
	if bus == nil {
		return guard.Field{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, secureTimeout)
	defer cancel()
	f, err := bus.Focus(ctx, pid)
	var gone *atspi.Gone
	if errors.As(err, &gone) {
		err = nil
	}
	if err == nil {
		c.access.note(pid, guard.Field(f))
	}
	return guard.Field(f), err
}

// terminals lists the terminals that a process shows. The window of one that does not answer
// is judged by its class alone.
func (c *core) terminals(ctx context.Context, pid int) ([]element.Rect, error) {
	if bus := c.guarding(ctx); bus != nil {
		list, _ := atspi.Terminals(ctx, bus, pid)
		return list, ctx.Err()
	}
	return nil, nil
}

// secureFields lists the password fields on the screen.
func (c *core) secureFields(ctx context.Context) ([]element.Rect, error) {
	bus := c.guarding(ctx)
	if bus == nil {
		return nil, nil
	}
	fields, _, err := bus.Secure(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]element.Rect, len(fields))
	for i, f := range fields {
		out[i] = f.Bounds
	}
	return out, nil
}

// secretAreas lists what screenshots leave out: the password fields, and the windows that ask for
// a password by their names, of programs that describe no fields.
func (c *core) secretAreas(ctx context.Context) ([]element.Rect, error) {
	list, err := c.secureFields(ctx)
	if err != nil {
		return nil, err
	}
	all, err := c.x.desktop.Windows()
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		if w.Visible() && guard.Secretive(shared(w)) && !c.describes(ctx, w.PID) {
			list = append(list, rect(w.Frame))
		}
	}
	return list, nil
}

// describes reports whether a process describes its elements.
func (c *core) describes(ctx context.Context, pid int) bool {
	bus := c.guarding(ctx)
	if bus == nil {
		return false
	}
	a, err := bus.Application(ctx, pid)
	if err == nil {
		_, err = bus.Snapshot(ctx, a)
	}
	return err == nil
}
