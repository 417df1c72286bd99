package client

import (
	"context"
	"sync/atomic"
	"time"

	"goated/client/internal/toolcall"
)

// questions are the server's questions to the user. The time of the user's answer does
// not count against a call.
type questions struct {
	allowed  []string     // hosts that the user allowed during calls; guarded by the list's mu
	asking   atomic.Int32 // open questions
	answered atomic.Int64 // when the last one was answered, in ns since 1970

	times toolcall.UserTimes
}

// countQuestion counts a question until the returned function is called. ctx is that of its call, where the
// server names one.
func (q *questions) countQuestion(ctx context.Context) (answered func()) {
	q.asking.Add(1)
	timed := q.times.Ask(ctx)
	return func() {
		timed()
		q.answered.Store(time.Now().UnixNano())
		q.asking.Add(-1)
	}
}
