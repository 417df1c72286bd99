package agent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A complete answer counts, even if its stream hangs after the end.
func TestWholeAnswersAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		m := slow{0, func(ctx context.Context, say func(string)) {
			say("Hello.")
			say("")
			pass(ctx, time.Hour)
		}}
		session := &Session{Model: m, Tools: tools(echo)}
		events, err := collect(t.Context(), session, "hi")
		if err != nil || answerOf(events) != "Hello." || time.Since(began) > 10*time.Second || len(session.History()) != 2 {
			t.Errorf("%q, %v after %v", answerOf(events), err, time.Since(began))
		}
	})
}

// A stop while the stream settles after an answer cancels the turn, and so does the caller's
// deadline.
func TestStopAfterAWholeAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := slow{0, func(ctx context.Context, say func(string)) {
			say("Hello.")
			say("")
			pass(ctx, time.Hour)
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		events, err := collect(ctx, &Session{Model: m, Tools: tools(echo)}, "hi")
		if ends := only[TurnEnded](events); err != nil || len(ends) != 1 || ends[0].Reason != Cancelled || errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("%v, %+v", err, ends)
		}
	})
}
