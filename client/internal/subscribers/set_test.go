package subscribers

import (
	"context"
	"errors"
	"testing"

	"goated/internal/waittest"
)

// A subscriber is notified of changes to its resource and its parts, once until it reads them, and of
// no other resource.
func TestSet(t *testing.T) {
	t.Parallel()
	var s Set
	first, second := make(chan struct{}, 1), make(chan struct{}, 1)
	s.Add("file:///a", first)
	s.Add("file:///a", second)
	for params, want := range map[string]bool{`{"uri":"file:///a"}`: true, `{"uri":"file:///a/b"}`: true, `{"uri":"file:///ab"}`: false, `{}`: false, `[`: false} {
		for range 2 { // the second time they already have a notification
			if got := s.Updated([]byte(params)); got != want {
				t.Errorf("%s: %t", params, got)
			}
		}
		if len(first) != len(second) || (len(first) == 1) != want {
			t.Errorf("%s: %d and %d hear of it", params, len(first), len(second))
		}
		for _, c := range []chan struct{}{first, second} {
			select {
			case <-c:
			default:
			}
		}
	}
	if !s.Acknowledged([]byte(`{"notifications":{"toolsListChanged":true}}`)) || len(first) > 0 {
		t.Error("a subscription to tools is told")
	}
	if s.Acknowledged([]byte(`{"notifications":{"resourceSubscriptions":["file:///a"]}}`)) || len(first) != 1 {
		t.Error("the beginning of a subscription is not told: a change before it would be lost")
	}
	waittest.Receive(t, "the second subscriber hears of it", second)
	if !s.Acknowledged([]byte(`{"notifications":{"resourceSubscriptions":["*"],"toolsListChanged":true}}`)) || len(second) != 1 {
		t.Error("a subscription to both is not one to each")
	}
	if s.Remove("file:///a", first) || !s.Remove("file:///a", second) {
		t.Error("which one was the last")
	}
	if s.Updated([]byte(`{"uri":"file:///a"}`)) {
		t.Error("somebody hears of it after the end")
	}
}

// Two subscriptions to one resource wait for each other, but not for those to other resources. A
// wait ends with its context.
func TestTurns(t *testing.T) {
	t.Parallel()
	var s Set
	first, err := s.Lock(t.Context(), "file:///a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Lock(t.Context(), "file:///b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Lock(ended, "file:///a"); !errors.Is(err, context.Canceled) {
		t.Fatalf("two have the turn: %v", err)
	}
	first()
	second, err := s.Lock(t.Context(), "file:///a")
	if err != nil {
		t.Fatal(err)
	}
	second()
	if len(s.turns) != 0 {
		t.Errorf("%d turns are kept", len(s.turns))
	}
}
