// Package access keeps the connection to the accessibility bus of a desktop. It connects when
// the bus is needed first, and answers the questions of the guard about password fields and
// terminals.
//
// It owns the connection. It must not know a window system or a protocol.
package access

import (
	"context"
	"errors"
	"fmt"
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
	token   chan struct{} // who puts the one token in connects or closes; others can stop waiting

	closed context.Context // ends with Close
	end    context.CancelFunc

	mu     sync.Mutex
	bus    *atspi.Bus
	former *atspi.Bus // the connection before, which the next one succeeds; nil: none
	met    bool       // it was connected before
	failed time.Time  // when it last did not open
	why    error

	asked time.Time // when the guard last asked about the field that has the keys
	pid   int       // the process
	field guard.Field
}

// New returns an Access that connects with a function.
func New(connect func(context.Context) (*atspi.Bus, error)) *Access {
	a := &Access{connect: connect, token: make(chan struct{}, 1)}
	a.closed, a.end = context.WithCancel(context.Background())
	return a
}

// ErrUnreachable says that it is unknown what programs describe: the accessibility bus exists,
// but does not answer.
var ErrUnreachable = fmt.Errorf("the accessibility bus does not answer, so %w", guard.ErrBlind)

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

// errClosed says that Close was called.
var errClosed = errors.New("the desktop server ends")

// Close disconnects. Nothing connects again.
func (a *Access) Close() {
	a.end()
	a.token <- struct{}{}
	defer func() { <-a.token }()
	a.leave()
}

// leave closes the connection, if there is one. The caller has the token.
func (a *Access) leave() {
	a.mu.Lock()
	bus := a.bus
	if a.bus = nil; bus != nil {
		a.former = bus
	}
	a.mu.Unlock()
	if bus != nil {
		_ = bus.Close()
	}
}

// open returns the bus if it is connected.
func (a *Access) open() *atspi.Bus {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bus == nil {
		return nil
	}
	select {
	case <-a.bus.Ended():
		return nil
	default:
		return a.bus
	}
}

// Bus returns the accessibility bus, and connects to it first if necessary.
func (a *Access) Bus(ctx context.Context) (*atspi.Bus, error) {
	if bus := a.open(); bus != nil {
		return bus, nil
	}
	if err := a.take(ctx); err != nil {
		return nil, err
	}
	defer func() { <-a.token }()
	return a.dial(ctx)
}

// take waits for the token.
func (a *Access) take(ctx context.Context) error {
	select {
	case a.token <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// dial is Bus for who has the token.
func (a *Access) dial(ctx context.Context) (*atspi.Bus, error) {
	if bus := a.open(); bus != nil {
		return bus, nil
	}
	if a.closed.Err() != nil {
		return nil, errClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.closed, cancel)()
	a.leave() // first: it turns accessibility off if the connection turned it on
	bus, err := a.connect(ctx)
	if err != nil && ctx.Err() == nil { // else the caller had too little time
		_ = a.fail(err) // the caller gets it as it is
	}
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.former != nil {
		atspi.Succeed(bus, a.former)
	}
	a.bus, a.former, a.met, a.why = bus, nil, true, nil
	return bus, nil
}

const (
	// again is how long the guard waits after a failure before it tries to connect again, and
	// againAbsent where the session has no accessibility.
	again       = 3 * time.Second
	againAbsent = 30 * time.Second
)

// absent reports whether a session has no accessibility, so that no program describes its
// fields to anyone.
func absent(err error) bool { return errors.Is(err, atspi.ErrNoBus) || errors.Is(err, atspi.ErrOff) }

// fail keeps why the bus did not open, and returns what that says about the session.
func (a *Access) fail(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.met && errors.Is(err, atspi.ErrNoBus) { // it was there, and programs may still use it
		err = fmt.Errorf("it is gone: %v", err)
	}
	a.failed, a.why = time.Now(), err
	return err
}

// recent returns why the bus did not open, if that was a moment ago.
func (a *Access) recent() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	wait := again
	if absent(a.why) {
		wait = againAbsent
	}
	if time.Since(a.failed) >= wait {
		return nil
	}
	return a.why
}

// Promptly returns the accessibility bus to who cannot wait. It connects within two seconds, and
// fails at once for a while after a failure. The error is [atspi.ErrNoBus] or [atspi.ErrOff] in a
// session without accessibility, else [ErrUnreachable], or that of ctx.
func (a *Access) Promptly(ctx context.Context) (*atspi.Bus, error) {
	if bus := a.open(); bus != nil {
		return bus, nil
	}
	bus, why := a.attempt(ctx)
	switch {
	case why == nil:
		return bus, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case absent(why):
		return nil, why
	}
	return nil, unreachable(why)
}

// attempt connects within two seconds, unless that failed a moment ago. It keeps a failure of the
// bus. That another call connects for longer is none.
func (a *Access) attempt(ctx context.Context) (*atspi.Bus, error) {
	if why := a.recent(); why != nil {
		return nil, why
	}
	limited, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := a.take(limited); err != nil {
		return nil, fmt.Errorf("another call still connects to it: %w", err)
	}
	defer func() { <-a.token }()
	if why := a.recent(); why != nil { // of the call before
		return nil, why
	}
	bus, err := a.dial(limited)
	if err != nil && ctx.Err() == nil {
		err = a.fail(err)
	}
	return bus, err
}

// unreachable says why the bus does not answer, and what to do.
func unreachable(why error) error {
	return fmt.Errorf("%w: %w; try again in a few seconds. If it stays so, tell the user to log in again, or to use the hidden desktop (a switch of the desktop server)", ErrUnreachable, why)
}

// answered returns the error of a question over a bus. It is ErrUnreachable if the bus or its
// registry did not answer, and no program.
func answered(bus *atspi.Bus, err error) error {
	if err == nil {
		return nil
	}
	select {
	case <-bus.Ended():
		return unreachable(err)
	default:
	}
	if errors.Is(err, atspi.ErrRegistry) {
		return unreachable(err)
	}
	return err
}

// Guarding is Promptly for the guard. Without an error the bus is nil in a session that has none.
func (a *Access) Guarding(ctx context.Context) (*atspi.Bus, error) {
	bus, err := a.Promptly(ctx)
	if absent(err) {
		return nil, nil
	}
	return bus, err
}

const (
	// connectTimeout bounds the connection that the guard opens.
	connectTimeout = 2 * time.Second
	// secureTimeout bounds the question which field has the keys: a busy program is waited for.
	secureTimeout = 4 * time.Second
)

// Focus says into what keys of a process would go. Programs without a tree show no password
// fields to anyone. While the bus does not answer, a program may show one.
func (a *Access) Focus(ctx context.Context, pid int) (guard.Field, error) {
	if f, ok := a.known(pid); ok {
		return f, nil
	}
	bus, err := a.Guarding(ctx)
	if bus == nil {
		return guard.Field{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, secureTimeout)
	defer cancel()
	f, err := bus.Focus(ctx, pid)
	err = answered(bus, err)
	var gone *atspi.Gone
	if errors.As(err, &gone) && !errors.Is(err, ErrUnreachable) { // the process ended
		err = nil
	}
	if err == nil {
		a.note(pid, guard.Field(f))
	}
	return guard.Field(f), err
}

// Terminals lists the terminals that a process shows. The window of one that does not answer
// is judged by its class alone. One that is lost may show a terminal or a password field.
func (a *Access) Terminals(ctx context.Context, pid int) ([]element.Rect, error) {
	bus, err := a.Guarding(ctx)
	if bus == nil {
		return nil, err
	}
	list, err := atspi.Terminals(ctx, bus, pid)
	if err = answered(bus, err); errors.Is(err, ErrUnreachable) {
		return nil, err
	}
	if lost := (*atspi.Lost)(nil); errors.As(err, &lost) {
		return nil, fmt.Errorf("%w: %w", guard.ErrBlind, lost)
	}
	return list, ctx.Err()
}

// Secrets are the password fields on the screen.
type Secrets struct {
	Places   []element.Rect // where they are
	Unplaced []int          // the processes that show one at an unknown place
	Silent   []string       // the applications that did not answer: they may show others
}

// Secrets lists the password fields on the screen.
func (a *Access) Secrets(ctx context.Context) (s Secrets, err error) {
	bus, err := a.Guarding(ctx)
	if bus == nil {
		return s, err
	}
	fields, silent, err := bus.Secure(ctx)
	err = answered(bus, err)
	for _, f := range fields {
		if f.Bounds.Empty() {
			s.Unplaced = append(s.Unplaced, f.PID)
		} else {
			s.Places = append(s.Places, f.Bounds)
		}
	}
	for _, app := range silent {
		s.Silent = append(s.Silent, app.Name)
	}
	return s, err
}

// Fields lists the places of the password fields for the guard of the pointer.
func (a *Access) Fields(ctx context.Context) ([]element.Rect, error) {
	s, err := a.Secrets(ctx)
	return s.Places, err
}

// Describes reports whether a process describes its elements.
func (a *Access) Describes(ctx context.Context, pid int) bool {
	bus, _ := a.Guarding(ctx)
	if bus == nil {
		return false
	}
	app, err := bus.Application(ctx, pid)
	if err == nil {
		_, err = bus.Snapshot(ctx, app)
	}
	return err == nil
}
