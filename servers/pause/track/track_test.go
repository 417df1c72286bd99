package track

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Each request ends in exactly one terminal state, and the statistics count it once, for any order
// of events.
func TestEachRequestEndsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tracker := New(nil)
		want := make(map[string]State)
		ends := make(map[string]int)
		requests := 0
		events := []Event{Request, Display, Answer, Cancel, Success, Fail}
		t.Repeat(map[string]func(*rapid.T){
			"track": func(t *rapid.T) {
				id := fmt.Sprint("r", rapid.IntRange(0, 5).Draw(t, "id"))
				_, active := want[id]
				if active && want[id].Terminal() {
					return // an ended id may be used again in another run
				}
				err := tracker.Track(id, "planner", "caller")
				if active != errors.Is(err, errDuplicate) {
					t.Fatalf("tracking %s: %v", id, err)
				}
				if !active {
					want[id] = Pending
					requests++
				}
			},
			"event": func(t *rapid.T) {
				id := fmt.Sprint("r", rapid.IntRange(0, 5).Draw(t, "id"))
				event := rapid.SampledFrom(events).Draw(t, "event")
				state, known := want[id]
				err := tracker.Do(id, event, nil)
				to, legal := transitions[state][event]
				switch {
				case !known || state.Terminal():
					if !errors.Is(err, errUnknown) {
						t.Fatalf("%s for %s in %s: %v", event, id, state, err)
					}
				case !legal:
					var refused *transitionError
					if !errors.As(err, &refused) {
						t.Fatalf("%s for %s in %s: %v", event, id, state, err)
					}
				case err != nil:
					t.Fatal(err)
				default:
					want[id] = to
					if to.Terminal() {
						ends[id]++
					}
				}
			},
			"": func(t *rapid.T) {
				m := tracker.Metrics()
				ended := 0
				for id, n := range ends {
					if n != 1 {
						t.Fatalf("%s ended %d times", id, n)
					}
					ended++
				}
				if m.Completed+m.Errors+m.Cancelled != ended || m.Active != requests-ended || len(tracker.History()) != ended {
					t.Fatalf("figures %+v, %d of %d ended", m, ended, requests)
				}
				for id, state := range want {
					if got := tracker.State(id); got != state {
						t.Fatalf("%s is %s, want %s", id, got, state)
					}
				}
			},
		})
	})
}

func TestHistoryIsBounded(t *testing.T) {
	tracker := New(nil)
	for i := range maxHistory + 10 {
		id := fmt.Sprint(i)
		if err := errors.Join(tracker.Track(id, "confirm", ""), tracker.Do(id, Cancel, ErrCancelled)); err != nil {
			t.Fatal(err)
		}
	}
	history := tracker.History()
	if len(history) != maxHistory || history[0].ID != "10" || history[0].Category != User {
		t.Errorf("%d requests, the first is %+v", len(history), history[0])
	}
	if m := tracker.Metrics(); m.Cancelled != maxHistory+10 {
		t.Errorf("the figures forget what the history drops: %+v", m)
	}
}

func TestMeanIsOfTheCompleted(t *testing.T) {
	tracker := New(nil)
	now := time.Unix(0, 0)
	tracker.now = func() time.Time { return now }
	for i, took := range []time.Duration{time.Second, 3 * time.Second} {
		id := fmt.Sprint(i)
		_ = tracker.Track(id, "text_input", "")
		_ = tracker.Do(id, Display, nil)
		now = now.Add(took)
		_ = tracker.Do(id, Answer, nil)
		_ = tracker.Do(id, Success, nil)
	}
	_ = tracker.Track("x", "text_input", "")
	now = now.Add(time.Hour)
	_ = tracker.Do("x", Cancel, nil)
	if m := tracker.Metrics(); m.Mean != 2*time.Second || m.Success < 0.66 || m.Success > 0.67 {
		t.Errorf("%+v", m)
	}
}

func TestCategories(t *testing.T) {
	unsupported := &json.UnsupportedValueError{Str: "chan"}
	for want, all := range map[Category][]error{
		User:        {ErrCancelled, fmt.Errorf("asking: %w", context.Canceled)},
		Connection:  {io.EOF, &net.OpError{Op: "dial", Err: errors.New("refused")}, fmt.Errorf("reading: %w", io.ErrUnexpectedEOF)},
		Protocol:    {fmt.Errorf("%w: no id", ErrProtocol), &json.SyntaxError{}, &transitionError{Idle, Cancel}},
		Application: {errors.New("the message says parse, render and cancelled"), unsupported},
	} {
		for _, err := range all {
			if got := Classify(err); got != want {
				t.Errorf("%v is %s, want %s", err, got, want)
			}
		}
	}
}
