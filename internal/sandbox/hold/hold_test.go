package hold

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"goated/internal/waittest"
)

// An asking is a question in a test's channel, with the function that answers it.
type asking struct {
	host   string
	answer func(Answer)
}

func questions(t *testing.T) (qs *Questions, asked chan asking, allowed *[]string) {
	asked, allowed = make(chan asking, 100), new([]string)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return New(ctx, func(_ context.Context, host string, answer func(Answer)) { asked <- asking{host, answer} }, func(host string) { *allowed = append(*allowed, host) }), asked, allowed
}

// Connections to the same host share a question. Connections to another host have another one.
func TestOneQuestionForEachHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		qs, asked, allowed := questions(t)
		var passed atomic.Int32
		for range 10 {
			go func() {
				if qs.Pass("a.example") {
					passed.Add(1)
				}
			}()
		}
		synctest.Wait() // all of them wait
		q := <-asked
		q.answer(Held)
		if !qs.Holds("a.example") || len(asked) > 0 || passed.Load() > 0 {
			t.Error("a connection does not wait, or asks again")
		}
		go func() { (<-asked).answer(Refused) }()
		if qs.Pass("b.example") {
			t.Error("the answer about a host was that of another")
		}
		q.answer(Allowed)
		synctest.Wait()
		if passed.Load() != 10 || len(asked) > 0 || len(*allowed) != 1 || (*allowed)[0] != "a.example" {
			t.Errorf("%d went on, with %d more questions; allowed %q", passed.Load(), len(asked), *allowed)
		}
	})
}

// A refusal applies to the connections that waited. The next connection asks again.
func TestARefusedHostIsAskedAgain(t *testing.T) {
	qs, asked, _ := questions(t)
	for range 2 {
		go func() {
			q := <-asked
			q.answer(Held)
			q.answer(Refused)
		}()
		if qs.Pass("a.example") {
			t.Error("it was allowed")
		}
	}
}

// When the context ends, each wait ends, even for a question that nobody answers.
func TestTheEndOfTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan asking, 2)
	qs := New(ctx, func(_ context.Context, host string, answer func(Answer)) { asked <- asking{host, answer} }, func(string) {})
	go func() {
		<-asked
		<-asked
		cancel()
	}()
	var wg sync.WaitGroup
	wg.Go(func() { qs.Pass("a.example") })
	if qs.Holds("b.example") {
		t.Error("it waits")
	}
	waittest.Return(t, "the wait ends with its context", wg.Wait)
	if New(ctx, nil, nil).Holds("a.example") || Ask(nil).Except(nil) != nil {
		t.Error("nobody answers, and a connection waits")
	}
}
