package atspi

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"
)

// A Ref identifies an object of an application on the bus. The zero value refers to no object.
type Ref struct {
	Bus  string // the unique name of the application, such as ":1.5"
	Path dbus.ObjectPath
}

func (r Ref) none() bool { return r.Bus == "" || r.Path == nullPath || r.Path == "" }

// HungError means that an application does not answer.
type HungError struct{ Name string }

func (e *HungError) Error() string {
	return fmt.Sprintf("%s does not answer: it hangs, or is stopped; wait for it, close it, or use a screenshot", e.Name)
}

// GoneError means that an element or its application no longer exists.
type GoneError struct{ What string }

// goneApplication is the value of [GoneError.What] for an application that no longer exists.
const goneApplication = "the application"

func (e *GoneError) Error() string { return e.What + " no longer exists; find it again" }

// call calls a method of an object and stores the results in out. It takes no longer than the limit for
// one call. It marks an application that does not answer as hung.
func (b *Bus) call(ctx context.Context, r Ref, method string, args []any, out ...any) error {
	if err := b.allowed(r.Bus); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, b.opts.Call, errCall)
	defer cancel()
	err := b.conn.Object(r.Bus, r.Path).CallWithContext(ctx, method, dbus.FlagNoAutoStart, args...).Store(out...)
	return b.convertError(ctx, r.Bus, err)
}

// property reads a property of an object.
func (b *Bus) property(ctx context.Context, r Ref, iface, name string) (any, error) {
	var v dbus.Variant
	err := b.call(ctx, r, propertiesIface+".Get", []any{iface, name}, &v)
	return v.Value(), err
}

// allowed returns an error for goated itself, and for an application that recently did not answer.
func (b *Bus) allowed(bus string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.apps[bus]
	switch {
	case a == nil:
		return nil
	case b.opts.Own != nil && b.opts.Own(a.info.PID):
		return ErrOwn
	case !a.hung.IsZero() && time.Since(a.hung) < hungFor:
		return &HungError{a.info.Name}
	}
	return nil
}

// ErrOwn means that an element belongs to goated itself.
var ErrOwn = errors.New("this is goated itself, which the desktop tools cannot read or use")

// errCall is the cause of a timeout if the application had all the time that Options.Call allows.
var errCall = fmt.Errorf("the application did not answer: %w", context.DeadlineExceeded)

// convertError records whether an application answered, and converts the error of a call to [GoneError] or [HungError].
func (b *Bus) convertError(ctx context.Context, bus string, err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.apps[bus]
	var remote dbus.Error
	switch {
	case err == nil:
		if a != nil {
			a.hung = time.Time{}
		}
		return nil
	case errors.As(err, &remote):
		switch remote.Name {
		case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.NoReply":
			return &GoneError{goneApplication}
		case "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.NoSuchObject", "org.freedesktop.DBus.Error.UnknownMethod":
			return &GoneError{"the element"}
		}
		return err
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		if !errors.Is(context.Cause(ctx), errCall) {
			return context.Cause(ctx) // the caller ran out of time, so the application need not be hung
		}
		if a == nil {
			return &HungError{bus}
		}
		a.hung = time.Now()
		return &HungError{a.info.Name}
	}
	return err
}

// A request is one call of a batch.
type request struct {
	ref    Ref
	method string
	args   []any
	done   func(body []any) // called with the results, on the goroutine of batch; not called on an error
}

// batch pipelines requests until ctx ends: it sends them without waiting for the replies to earlier
// ones. next returns the next request. The done functions may add requests for next to return. batch
// returns how many requests got no reply in time, and how many got an error.
func (b *Bus) batch(ctx context.Context, next func() (request, bool)) (late, failed int) {
	replies := make(chan *dbus.Call, pipelined)
	open := make(map[*dbus.Call]func([]any), pipelined)
	for {
		for len(open) < pipelined && ctx.Err() == nil {
			r, ok := next()
			if !ok {
				break
			}
			call := b.conn.Object(r.ref.Bus, r.ref.Path).GoWithContext(ctx, r.method, dbus.FlagNoAutoStart, replies, r.args...)
			open[call] = r.done
		}
		if len(open) == 0 {
			for ctx.Err() != nil {
				if _, ok := next(); !ok {
					break
				}
				late++ // not even sent
			}
			return late, failed
		}
		call := <-replies // each call ends when ctx does, if not before
		done := open[call]
		delete(open, call)
		switch {
		case call.Err == nil:
			done(call.Body)
		case ctx.Err() != nil:
			late++
		default:
			failed++
		}
	}
}

// queue returns a next function for batch that reads a slice. The slice may grow in the meantime.
func queue(q *[]request) func() (request, bool) {
	i := 0
	return func() (request, bool) {
		if i == len(*q) {
			return request{}, false
		}
		i++
		r := (*q)[i-1]
		(*q)[i-1] = request{}
		return r, true
	}
}
