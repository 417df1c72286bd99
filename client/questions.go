package client

import (
	"sync"
	"sync/atomic"
	"time"
)

// questions are the server's questions to the user. The time of the user's answer does
// not count against a call.
type questions struct {
	allowed  []string     // hosts that the user allowed during calls; guarded by the list's mu
	asking   atomic.Int32 // open questions
	answered atomic.Int64 // when the last one was answered, in ns since 1970

	timing sync.Mutex
	since  time.Time     // when the first of the open questions was asked; guarded by timing
	took   time.Duration // with a question open, without the present ones; guarded by timing
}

// opened counts a question until the returned function is called.
func (q *questions) opened() (answered func()) {
	q.timing.Lock()
	defer q.timing.Unlock()
	if q.asking.Add(1) == 1 {
		q.since = time.Now()
	}
	return func() {
		q.timing.Lock()
		defer q.timing.Unlock()
		q.answered.Store(time.Now().UnixNano())
		if q.asking.Add(-1) == 0 {
			q.took += time.Since(q.since)
		}
	}
}

// answering returns how long questions were open so far. Questions at the same time count once.
func (q *questions) answering() time.Duration {
	q.timing.Lock()
	defer q.timing.Unlock()
	if q.asking.Load() > 0 {
		return q.took + time.Since(q.since)
	}
	return q.took
}
