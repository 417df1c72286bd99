package keyboard_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"goated/internal/bustest"
	"goated/servers/desktop/portal"
	"goated/servers/desktop/portal/keyboard"
	"goated/servers/desktop/portal/portaltest"
)

// A guard is a Guard that allows every key.
type guard struct{}

func (guard) Keys(context.Context) error                         { return nil }
func (guard) Focus(context.Context) bool                         { return true }
func (guard) Moved(context.Context, time.Duration) (bool, error) { return true, nil }

// No key stays down, whenever an action is stopped, because a key that stays down repeats itself.
func TestNoKeyStaysDown(t *testing.T) {
	var mu sync.Mutex
	down := make(map[uint32]bool)
	p := &portaltest.Portal{
		Keyboard: func() (uint32, uint32) { return portaltest.Agree, 7 },
		Pressed: func(key portaltest.Key) {
			mu.Lock()
			defer mu.Unlock()
			if delete(down, key.Sym); key.Down {
				down[key.Sym] = true
			}
		},
	}
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	opened, err := portal.Open(t.Context(), portal.Options{Session: address})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	k := keyboard.New(opened, guard{})
	for n := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Duration(n%60)*20*time.Microsecond, cancel)
		if n%2 == 0 {
			err = k.Type(ctx, []uint32{'a', 'b', 'c', 'd', 'e'}, 0)
		} else {
			err = k.Chord(ctx, 'a', []uint32{0xffe3, 0xffe1}, 0) // with Control and Shift
		}
		cancel()
		mu.Lock()
		left := slices.Collect(maps.Keys(down))
		mu.Unlock()
		if len(left) > 0 {
			t.Fatalf("after %d stops the keys %#x are down: %v", n+1, left, err)
		}
	}
	if f := p.Faults(); len(f) > 0 {
		t.Errorf("the portal complains: %v", f)
	}
}

// A refusing is a guard that allows a number of keys.
type refusing struct {
	guard
	left int
}

var errRefused = errors.New("a password field has the keys")

func (r *refusing) Keys(context.Context) error {
	if r.left--; r.left < 0 {
		return errRefused
	}
	return nil
}

// A stopped is a guard that belongs to an action that ends after a key.
type stopped struct{ guard }

func (stopped) Moved(context.Context, time.Duration) (bool, error) { return false, errRefused }

// A restless is a guard of a program that is busy without end. It adds up how long it may take.
type restless struct {
	guard
	waited time.Duration
}

func (r *restless) Moved(_ context.Context, limit time.Duration) (bool, error) {
	r.waited += limit
	return false, nil
}

// The error of a text that stops contains a count only if a part was typed. A refused text used to
// report "after 0 characters", which sounds like a failure in the middle. A text that was typed
// completely before the stop had no count, which sounded as if it had not been typed.
func TestARefusedTextHasNoCount(t *testing.T) {
	p := &portaltest.Portal{Keyboard: func() (uint32, uint32) { return portaltest.Agree, 7 }}
	address := bustest.Start(t)
	conn, err := p.Serve(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	opened, err := portal.Open(t.Context(), portal.Options{Session: address})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	for allowed, want := range map[int]string{0: errRefused.Error(), 2: "after 2 of 3 characters: " + errRefused.Error()} {
		err := keyboard.New(opened, &refusing{left: allowed}).Type(t.Context(), []uint32{'a', 'b', 'c'}, 0)
		if !errors.Is(err, errRefused) || err.Error() != want {
			t.Errorf("after %d keys: %v, want %s", allowed, err, want)
		}
	}
	k := keyboard.New(opened, stopped{})
	for want, press := range map[string]func() error{
		"after 2 of 2 characters: ":   func() error { return k.Type(t.Context(), []uint32{'a', 0xff0d}, 0) },
		"after the key was pressed: ": func() error { return k.Chord(t.Context(), 0xff0d, nil, 0) },
	} {
		if err := press(); !errors.Is(err, errRefused) || err.Error() != want+errRefused.Error() {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// A program that is always busy used to get two seconds after each line.
	busy := new(restless)
	if err := keyboard.New(opened, busy).Type(t.Context(), slices.Repeat([]uint32{0xff0d}, 40), 0); err != nil || busy.waited < 2*time.Second || busy.waited > 6*time.Second {
		t.Errorf("40 lines for a busy program take %v: %v", busy.waited, err)
	}
}
