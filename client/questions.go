package client

import (
	"sync/atomic"
	"time"
)

// questions are the server's questions to the user. The time of the user's answer does
// not count against a call.
type questions struct {
	allowed  []string     // hosts that the user allowed during calls; guarded by the list's mu
	asking   atomic.Int32 // open questions
	answered atomic.Int64 // when the last one was answered, in ns since 1970
}

// opened counts a question until the returned function is called.
func (q *questions) opened() (answered func()) {
	q.asking.Add(1)
	return func() {
		q.answered.Store(time.Now().UnixNano())
		q.asking.Add(-1)
	}
}
