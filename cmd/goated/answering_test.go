//go:build !headless

package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"google.golang.org/genai"

	"goated/agent/offline"
)

// A message that the user sends while goated still looks for the key waits for the model that
// results, and can be cancelled in the meantime.
func TestLaterModelAnswersWhatWasSaidBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &pendingModel{found: make(chan struct{})}
		said := []*genai.Content{genai.NewContentFromText("hello", genai.RoleUser)}
		ask := func(ctx context.Context) chan error {
			done := make(chan error, 1)
			go func() {
				var failed error
				n := 0
				for _, err := range l.Generate(ctx, said, nil) {
					n++
					failed = err
				}
				if n == 0 {
					failed = errors.New("no answer")
				}
				done <- failed
			}()
			synctest.Wait()
			return done
		}
		stopped, stop := context.WithCancel(t.Context())
		first, second := ask(t.Context()), ask(stopped)
		if len(first)+len(second) != 0 {
			t.Fatal("it answered before there was a model")
		}
		stop()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("stopped with %v", err)
		}
		l.model = &offline.Model{}
		close(l.found)
		if err := <-first; err != nil {
			t.Error(err)
		}
		l.err = errors.New("no such model")
		if err := <-ask(t.Context()); !errors.Is(err, l.err) {
			t.Errorf("it failed with %v", err)
		}
	})
}
