package input_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/waittest"
	"goated/servers/desktop/x11/input"
)

// TestCancelReleasesEverything cancels in the middle of a text and of a drag.
func TestCancelReleasesEverything(t *testing.T) {
	d := desk.Open(t, nil)
	in := open(t, nil)
	w, lines := events(t, d)
	start, end := [2]int{w.Client.X + 5, w.Client.Y + 5}, [2]int{w.Client.X + 300, w.Client.Y + 200}
	why := errors.New("halt")
	for name, act := range map[string]func(context.Context) error{
		"text": func(ctx context.Context) error { return in.Type(ctx, strings.Repeat("日a", 500), 20*time.Millisecond) },
		"drag": func(ctx context.Context) error {
			return in.Drag(ctx, [][2]int{start, end}, 3*time.Second, input.Left, input.Shift)
		},
		"hold":  func(ctx context.Context) error { return in.Key(ctx, "a", time.Minute, input.Control) },
		"hover": func(ctx context.Context) error { return in.Hover(ctx, w.Client.X+50, w.Client.Y+50, time.Minute) },
	} {
		var err error
		took := time.Hour
		for n := 0; n < 5 && took > 100*time.Millisecond; n++ { // other programs also use the processors
			ctx, cancel := context.WithCancelCause(t.Context())
			var since time.Time
			var all sync.WaitGroup
			all.Go(func() {
				if name == "drag" {
					see(t, lines, "^ButtonPress", "^MotionNotify", `, \(([6-9]|\d\d+),\d+\), root`) // it has left its start
				} else {
					see(t, lines, "^(KeyPress|MotionNotify)")
				}
				since = time.Now()
				cancel(why)
			})
			err = act(ctx)
			all.Wait()
			took = time.Since(since)
		}
		if !errors.Is(err, why) || took > 100*time.Millisecond {
			t.Errorf("%s: %v after %v", name, err, took)
		}
		if mask, spare := in.State(); mask != 0 || spare != 0 {
			t.Errorf("%s: the pointer and modifier state is %#x, and %d keycodes are lent", name, mask, spare)
		}
		if name == "drag" {
			released(t, lines)
		}
	}
	// A button that one call pressed and no call released.
	if err := errors.Join(in.ButtonDown(t.Context(), start[0], start[1], input.Left), in.Move(t.Context(), end[0], end[1], 0)); err != nil {
		t.Fatal(err)
	}
	in.Release()
	released(t, lines)
}

// released checks that the next release of a button is where the drag began. It used to be where the pointer
// was, which dropped there.
func released(t *testing.T, lines <-chan string) {
	t.Helper()
	for line := waittest.Receive(t, "an event", lines); !strings.HasPrefix(line, "ButtonRelease"); {
		line = waittest.Receive(t, "an event", lines)
	}
	if place := waittest.Receive(t, "the place", lines); !strings.Contains(place, "(5,5)") {
		t.Errorf("the button is released at %s", place)
	}
}
