package access

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"goated/internal/waittest"
	"goated/servers/desktop/atspi"
	"goated/servers/desktop/guard"
)

// At login, the accessibility bus can take longer than the guard waits. Until it answers, the focus
// may be in a password field. So the guard gets an error instead of an ordinary field, and it does
// not wait again for each key.
func TestAPasswordFieldIsPossibleUntilTheBusAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		a := New(func(ctx context.Context) (*atspi.Bus, error) {
			tries++
			<-ctx.Done()
			return nil, fmt.Errorf("connecting to the accessibility bus: %w", ctx.Err())
		})
		began := time.Now()
		for range 3 {
			if f, err := a.Focus(t.Context(), 1); !errors.Is(err, ErrUnreachable) {
				t.Errorf("keys go into %+v, %v", f, err)
			}
			if _, err := a.Secrets(t.Context()); !errors.Is(err, ErrUnreachable) {
				t.Errorf("a picture hides all password fields: %v", err)
			}
			if _, err := a.Fields(t.Context()); !errors.Is(err, guard.ErrBlind) {
				t.Errorf("a drop is allowed: %v", err)
			}
			if _, err := a.Terminals(t.Context(), 1); !errors.Is(err, guard.ErrBlind) {
				t.Errorf("a drop into a terminal is allowed: %v", err)
			}
		}
		if took := time.Since(began); took != connectTimeout || tries != 1 {
			t.Errorf("it connected %d times in %v", tries, took)
		}
	})
}

// A session without accessibility shows no password fields to anyone, so keys are allowed.
func TestKeysWithoutAccessibility(t *testing.T) {
	for _, none := range []error{atspi.ErrNoBus, atspi.ErrOff} {
		a := New(func(context.Context) (*atspi.Bus, error) { return nil, fmt.Errorf("%w (a reason)", none) })
		for range 2 {
			if f, err := a.Focus(t.Context(), 1); err != nil || f != (guard.Field{}) {
				t.Errorf("%v: keys go into %+v, %v", none, f, err)
			}
		}
	}
}

// While one call connects, other actions can forget the focused field, and a call whose context
// ends returns.
func TestOthersDoNotWaitForTheConnection(t *testing.T) {
	begun, free := make(chan struct{}), make(chan struct{})
	a := New(func(context.Context) (*atspi.Bus, error) {
		close(begun)
		<-free
		return nil, atspi.ErrNoBus
	})
	ended := make(chan error, 1)
	go func() {
		_, err := a.Bus(t.Context())
		ended <- err
	}()
	waittest.Receive(t, "the begin of the connection", begun)
	defer func() {
		close(free)
		waittest.Receive(t, "the end of the connection", ended)
		a.Close()
	}()
	waittest.Return(t, "an action", a.Forget)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	waittest.Return(t, "a call whose time is over", func() {
		if _, err := a.Bus(over); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		if _, err := a.ForGuard(over); !errors.Is(err, context.Canceled) {
			t.Errorf("the guard: %v", err)
		}
	})
}

// If the caller's context ends, this is not a failure of the bus. The guard connects again.
func TestACallerWithoutTimeIsNoFailure(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	defer cancel()
	a := New(func(ctx context.Context) (*atspi.Bus, error) {
		cancel()
		return nil, ctx.Err()
	})
	if _, err := a.Bus(over); !errors.Is(err, context.Canceled) || a.recent() != nil {
		t.Errorf("%v; the guard takes %v for the state of the bus", err, a.recent())
	}
}

// Close cancels a connection attempt. No later call opens a connection, which nobody would close.
func TestNothingConnectsAfterClose(t *testing.T) {
	begun, tries := make(chan struct{}), 0
	a := New(func(ctx context.Context) (*atspi.Bus, error) {
		tries++
		close(begun)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	failed := make(chan error, 1)
	go func() {
		_, err := a.Bus(t.Context())
		failed <- err
	}()
	waittest.Receive(t, "the begin of the connection", begun)
	waittest.Return(t, "the end", a.Close)
	if err := waittest.Receive(t, "the end of the call", failed); err == nil {
		t.Error("it is connected after the end")
	}
	if _, err := a.Bus(t.Context()); err == nil || tries != 1 {
		t.Errorf("after the end it connects: %v, %d times", err, tries)
	}
}

// While the user decides whether to turn on accessibility, another call is connecting for a long
// time. The guard waits two seconds for it and does not count this as a failure of the bus. If the
// user declines, the guard does not ask again.
func TestWaitingForAnotherCallIsNoFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		a := New(func(context.Context) (*atspi.Bus, error) {
			tries++
			time.Sleep(5 * time.Second) // in the time of the synctest bubble
			return nil, atspi.ErrOff
		})
		ended := make(chan error, 1)
		go func() {
			_, err := a.Bus(t.Context())
			ended <- err
		}()
		synctest.Wait()
		for range 2 {
			if f, err := a.Focus(t.Context(), 1); !errors.Is(err, ErrUnreachable) || a.recent() != nil {
				t.Errorf("keys go into %+v, %v; the guard keeps %v", f, err, a.recent())
			}
		}
		if _, err := a.Focus(t.Context(), 1); err != nil { // it waits for the user's answer
			t.Errorf("after the user's no: %v", err)
		}
		if err := <-ended; !errors.Is(err, atspi.ErrOff) || tries != 1 || !errors.Is(a.recent(), atspi.ErrOff) {
			t.Errorf("%v, %d tries; the guard keeps %v", err, tries, a.recent())
		}
	})
}
