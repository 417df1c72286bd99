package backend

import (
	"context"
	"errors"
	"sync"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
)

// An access is the connection to the accessibility bus. It opens when it is needed first.
type access struct {
	mu     sync.Mutex
	bus    *atspi.Bus
	failed time.Time // when it last did not open
	why    error

	asked  time.Time // when the guard last asked about the field that has the keys
	pid    int       // of which process
	secure bool      // the answer
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
func (a *access) known(pid int) (secure, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.secure, a.pid == pid && time.Since(a.asked) < fresh
}

func (a *access) note(pid int, secure bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked, a.pid, a.secure = time.Now(), pid, secure
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
	// secureTimeout bounds the question whether a field holds a password.
	secureTimeout = 500 * time.Millisecond
)

// secureFocused reports whether keys of a process would go into a password field.
func (c *core) secureFocused(ctx context.Context, pid int) (bool, error) {
	if secure, ok := c.access.known(pid); ok {
		return secure, nil
	}
	bus := c.guarding(ctx)
	if bus == nil {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, secureTimeout)
	defer cancel()
	secure, err := bus.FocusedSecure(ctx, pid)
	var none *atspi.NoTree
	var gone *atspi.Gone
	if errors.As(err, &none) || errors.As(err, &gone) {
		secure, err = false, nil // programs without a tree show no password fields to anyone
	}
	if err == nil {
		c.access.note(pid, secure)
	}
	return secure, err
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
