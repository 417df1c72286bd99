package toolcall

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A question from one call reduced the displayed time of the server's other calls. It now counts
// only for its own call. A question that names no call counts for all running calls, and questions
// at the same time count once.
func TestUserTimeIsThatOfTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var server UserTimes
		one, first := WithUserTime(t.Context())
		two, second := WithUserTime(t.Context())
		defer server.Begin(one)()
		defer server.Begin(two)()
		check := func(when string, wantFirst, wantSecond time.Duration) {
			t.Helper()
			if a, b := first.Total(), second.Total(); a != wantFirst || b != wantSecond {
				t.Errorf("%s: %v and %v, want %v and %v", when, a, b, wantFirst, wantSecond)
			}
		}
		own := server.Ask(one)
		time.Sleep(time.Minute)
		check("a question of the first call", time.Minute, 0)
		unnamed := server.Ask(context.Background())
		time.Sleep(time.Minute)
		check("a second one of no call", 2*time.Minute, time.Minute)
		own()
		time.Sleep(time.Minute)
		check("the second one alone", 3*time.Minute, 2*time.Minute)
		late, third := WithUserTime(t.Context())
		end := server.Begin(late)
		time.Sleep(time.Minute)
		end()
		time.Sleep(time.Minute)
		if got := third.Total(); got != time.Minute {
			t.Errorf("a call that ran for a minute of a question: %v", got)
		}
		unnamed()
		time.Sleep(time.Hour)
		check("no question", 5*time.Minute, 4*time.Minute)
	})
}
