// Package access keeps the connection to the accessibility bus of a desktop. It connects when
// the bus is needed first, and answers the questions of the guard about password fields and
// terminals.
//
// It owns the connection. It must not know a window system or a protocol.
package access

import (
	"context"
	"errors"
	"sync"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/element"
	"goated/servers/desktop/guard"
)

// An Access is the connection to the accessibility bus. Its methods are safe for concurrent
// use. Close it.
type Access struct {
	connect func(context.Context) (*atspi.Bus, error)

	mu     sync.Mutex
	bus    *atspi.Bus
	failed time.Time // when it last did not open
	why    error

	asked time.Time // when the guard last asked about the field that has the keys
	pid   int       // the process
	field guard.Field
}

// New returns an Access that connects with a function.
func New(connect func(context.Context) (*atspi.Bus, error)) *Access {
	return &Access{connect: connect}
}

// fresh is how long the answer of a program about the field with the keys holds. Each input,
// and each line and field of a text, begins with a new question.
const fresh = 250 * time.Millisecond

// Forget lets the next key ask again.
func (a *Access) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = time.Time{}
}

// known returns the answer about a process if it still holds.
func (a *Access) known(pid int) (f guard.Field, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.field, a.pid == pid && time.Since(a.asked) < fresh
}

func (a *Access) note(pid int, f guard.Field) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked, a.pid, a.field = time.Now(), pid, f
}

// again is how long the guard waits after a failure before it tries to connect again.
const again = 30 * time.Second

// Close disconnects.
func (a *Access) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bus != nil {
		_ = a.bus.Close()
		a.bus = nil
	}
}

// Bus returns the accessibility bus, and connects to it first if necessary.
func (a *Access) Bus(ctx context.Context) (*atspi.Bus, error) {
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
	bus, err := a.connect(ctx)
	if err != nil {
		a.failed, a.why = time.Now(), err
		return nil, err
	}
	a.bus, a.why = bus, nil
	return bus, nil
}

// Guarding returns the accessibility bus for the guard. It is nil in a session without one,
// where no program describes its fields.
func (a *Access) Guarding(ctx context.Context) *atspi.Bus {
	a.mu.Lock()
	wait := a.why != nil && time.Since(a.failed) < again
	a.mu.Unlock()
	if wait {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	bus, err := a.Bus(ctx)
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

// Focus says into what keys of a process would go. Programs without a tree show no password
// fields to anyone.
func (a *Access) Focus(ctx context.Context, pid int) (guard.Field, error) {
	if f, ok := a.known(pid); ok {
		return f, nil
	}
	bus := a.Guarding(ctx)
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
		a.note(pid, guard.Field(f))
	}
	return guard.Field(f), err
}

// Terminals lists the terminals that a process shows. The window of one that does not answer
// is judged by its class alone.
func (a *Access) Terminals(ctx context.Context, pid int) ([]element.Rect, error) {
	if bus := a.Guarding(ctx); bus != nil {
		list, _ := atspi.Terminals(ctx, bus, pid)
		return list, ctx.Err()
	}
	return nil, nil
}

// Secure lists the password fields on the screen.
func (a *Access) Secure(ctx context.Context) ([]element.Rect, error) {
	bus := a.Guarding(ctx)
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

// Describes reports whether a process describes its elements.
func (a *Access) Describes(ctx context.Context, pid int) bool {
	bus := a.Guarding(ctx)
	if bus == nil {
		return false
	}
	app, err := bus.Application(ctx, pid)
	if err == nil {
		_, err = bus.Snapshot(ctx, app)
	}
	return err == nil
}
