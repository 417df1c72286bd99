package client

import (
	"testing"
	"testing/synctest"
	"time"
)

// Questions that are open at the same time take the user's time once, and a question that is still open
// counts.
func TestOpenQuestionsCountOnce(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		var q questions
		first := q.opened()
		time.Sleep(time.Minute)
		second := q.opened()
		time.Sleep(time.Minute)
		first()
		time.Sleep(time.Minute)
		if got := q.answering(); got != 3*time.Minute {
			t.Errorf("during the second question: %v", got)
		}
		second()
		time.Sleep(time.Hour)
		if got := q.answering(); got != 3*time.Minute {
			t.Errorf("after both: %v", got)
		}
	})
}
