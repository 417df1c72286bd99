// Package access keeps the connection to a desktop's accessibility bus. It connects when the bus is
// first needed, and tells the guard where password fields and terminals are.
//
// The package owns the connection. It must not know a window system or a protocol.
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

// An Access is a connection to the accessibility bus. Its methods are safe for concurrent use. The
// caller must close it.
type Access struct {
	connect func(context.Context) (*atspi.Bus, error)
	token   chan struct{} // holds one token, whose sender may connect or close; others can stop waiting

	closed context.Context // done after Close
	end    context.CancelFunc

	mu     sync.Mutex
	bus    *atspi.Bus
	former *atspi.Bus // the previous connection, which the next one succeeds; may be nil
	met    bool       // there was a connection before
	failed time.Time  // time of the last failed connection
	why    error

	asked time.Time // when the guard last asked about the focused field
	pid   int       // of the process in the last question
	field guard.Field
}

// New returns an Access that uses connect to connect.
func New(connect func(context.Context) (*atspi.Bus, error)) *Access {
	a := &Access{connect: connect, token: make(chan struct{}, 1)}
	a.closed, a.end = context.WithCancel(context.Background())
	return a
}

// ErrUnreachable means that the accessibility bus exists but does not answer, so nothing is known
// about the elements of programs.
var ErrUnreachable = fmt.Errorf("the accessibility bus does not answer, so %w", guard.ErrBlind)

// fresh is how long a program's answer about its focused field stays valid. Each input, and each
// line and field of a text, asks again anyway.
const fresh = 250 * time.Millisecond

// Forget makes the next key ask the program again.
func (a *Access) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = time.Time{}
}

// remembered returns the last answer about a process if it is still valid.
func (a *Access) remembered(pid int) (f guard.Field, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.field, a.pid == pid && time.Since(a.asked) < fresh
}

func (a *Access) remember(pid int, f guard.Field) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked, a.pid, a.field = time.Now(), pid, f
}

// errClosed is the error after Close.
var errClosed = errors.New("the desktop server ends")

// Close disconnects and prevents new connections.
func (a *Access) Close() {
	a.end()
	a.token <- struct{}{}
	defer func() { <-a.token }()
	a.closeBus()
}

// closeBus closes the connection if there is one. The caller must have the token.
func (a *Access) closeBus() {
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

// open returns the bus if it is connected, and nil otherwise.
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

// Bus returns the accessibility bus. It connects first if necessary.
func (a *Access) Bus(ctx context.Context) (*atspi.Bus, error) {
	if bus := a.open(); bus != nil {
		return bus, nil
	}
	if err := a.acquire(ctx); err != nil {
		return nil, err
	}
	defer func() { <-a.token }()
	return a.dial(ctx)
}

// acquire waits for the token.
func (a *Access) acquire(ctx context.Context) error {
	select {
	case a.token <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// dial is like Bus, for a caller that has the token.
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
	a.closeBus() // must come first, because it turns accessibility off if the old connection turned it on
	bus, err := a.connect(ctx)
	if err != nil && ctx.Err() == nil { // otherwise the caller's context ended too early
		_ = a.fail(err) // the caller gets the original error
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
	// again is how long the guard waits after a failed connection before it retries. It waits for
	// againAbsent if the session has no accessibility.
	again       = 3 * time.Second
	againAbsent = 30 * time.Second
)

// isAbsent reports whether the session has no accessibility. Then no program describes its fields to
// anyone.
func isAbsent(err error) bool { return errors.Is(err, atspi.ErrNoBus) || errors.Is(err, atspi.ErrOff) }

// fail stores why the connection failed and returns the reason.
func (a *Access) fail(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.met && errors.Is(err, atspi.ErrNoBus) { // the bus existed before, and programs may still use it
		err = fmt.Errorf("it is gone: %v", err)
	}
	a.failed, a.why = time.Now(), err
	return err
}

// recent returns the error of the last connection if it failed a moment ago.
func (a *Access) recent() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	wait := again
	if isAbsent(a.why) {
		wait = againAbsent
	}
	if time.Since(a.failed) >= wait {
		return nil
	}
	return a.why
}

// Quick returns the accessibility bus for callers that cannot wait long. It connects within two
// seconds. After a failure it fails at once for a while. The error is [atspi.ErrNoBus] or
// [atspi.ErrOff] in a session without accessibility, and otherwise [ErrUnreachable] or the error of
// ctx.
func (a *Access) Quick(ctx context.Context) (*atspi.Bus, error) {
	if bus := a.open(); bus != nil {
		return bus, nil
	}
	bus, why := a.attempt(ctx)
	switch {
	case why == nil:
		return bus, nil
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case isAbsent(why):
		return nil, why
	}
	return nil, unreachable(why)
}

// attempt tries to connect for two seconds, unless that failed a moment ago. It stores the error if
// the bus fails. If another call is still connecting, this is not a failure of the bus.
func (a *Access) attempt(ctx context.Context) (*atspi.Bus, error) {
	if why := a.recent(); why != nil {
		return nil, why
	}
	limited, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := a.acquire(limited); err != nil {
		return nil, fmt.Errorf("another call still connects to it: %w", err)
	}
	defer func() { <-a.token }()
	if why := a.recent(); why != nil { // another call failed in the meantime
		return nil, why
	}
	bus, err := a.dial(limited)
	if err != nil && ctx.Err() == nil {
		err = a.fail(err)
	}
	return bus, err
}

// unreachable returns the error with the reason why the bus does not answer, and advice.
func unreachable(why error) error {
	return fmt.Errorf("%w: %w; try again in a few seconds. If it stays so, tell the user to log in again, or to use the hidden desktop (a switch of the desktop server)", ErrUnreachable, why)
}

// answered returns the error of a question over a bus. It is ErrUnreachable if the bus or its
// registry did not answer, rather than a program.
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

// ForGuard is like Quick, for the guard. In a session without accessibility it returns a nil bus
// and no error.
func (a *Access) ForGuard(ctx context.Context) (*atspi.Bus, error) {
	bus, err := a.Quick(ctx)
	if isAbsent(err) {
		return nil, nil
	}
	return bus, err
}

const (
	// connectTimeout limits how long the guard waits for a connection.
	connectTimeout = 2 * time.Second
	// secureTimeout limits how long a busy program may take to report its focused field.
	secureTimeout = 4 * time.Second
)

// Focus returns the kind of field that would receive keys in a process. A program without a tree
// shows no password field to anyone. While the bus does not answer, a program may show one, so
// Focus returns an error.
func (a *Access) Focus(ctx context.Context, pid int) (guard.Field, error) {
	if f, ok := a.remembered(pid); ok {
		return f, nil
	}
	bus, err := a.ForGuard(ctx)
	if bus == nil {
		return guard.Field{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, secureTimeout)
	defer cancel()
	f, err := bus.Focus(ctx, pid)
	err = answered(bus, err)
	var gone *atspi.GoneError
	if errors.As(err, &gone) && !errors.Is(err, ErrUnreachable) { // the process has ended
		err = nil
	}
	if err == nil {
		a.remember(pid, guard.Field(f))
	}
	return guard.Field(f), err
}

// Terminals returns the areas of the terminals that a process shows. If a process does not answer,
// the guard judges its window by the class alone. If a process is no longer on the bus, it may show
// a terminal or a password field, so Terminals returns an error.
func (a *Access) Terminals(ctx context.Context, pid int) ([]element.Rect, error) {
	bus, err := a.ForGuard(ctx)
	if bus == nil {
		return nil, err
	}
	list, err := atspi.Terminals(ctx, bus, pid)
	if err = answered(bus, err); errors.Is(err, ErrUnreachable) {
		return nil, err
	}
	if lost := (*atspi.LostError)(nil); errors.As(err, &lost) {
		return nil, fmt.Errorf("%w: %w", guard.ErrBlind, lost)
	}
	return list, ctx.Err()
}

// Secrets describes the password fields on the screen.
type Secrets struct {
	Places   []element.Rect // areas of the fields
	Unplaced []int          // processes that show a field at an unknown position
	Silent   []string       // applications that did not answer, so they may show more fields
}

// Secrets finds the password fields on the screen.
func (a *Access) Secrets(ctx context.Context) (s Secrets, err error) {
	bus, err := a.ForGuard(ctx)
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

// Fields returns the areas of the password fields, for the guard of the pointer.
func (a *Access) Fields(ctx context.Context) ([]element.Rect, error) {
	s, err := a.Secrets(ctx)
	return s.Places, err
}

// Describes reports whether a process describes its elements.
func (a *Access) Describes(ctx context.Context, pid int) bool {
	bus, _ := a.ForGuard(ctx)
	if bus == nil {
		return false
	}
	app, err := bus.Application(ctx, pid)
	if err == nil {
		_, err = bus.Snapshot(ctx, app)
	}
	return err == nil
}
