package toolcall

import (
	"context"
	"sync"
	"time"
)

// A UserTime measures how long the user has had questions of one call open. Questions that are open
// at the same time count once. It is safe for concurrent use.
type UserTime struct {
	mu    sync.Mutex
	open  int           // number of open questions
	since time.Time     // when the first of the open questions was asked
	took  time.Duration // total time with an open question, without the questions that are open now
}

// userTimeKey is the key of a call's UserTime in its context.
type userTimeKey struct{}

// WithUserTime returns a context for one call, and the UserTime that measures the user's answers to
// it.
func WithUserTime(ctx context.Context) (context.Context, *UserTime) {
	t := new(UserTime)
	return context.WithValue(ctx, userTimeKey{}, t), t
}

// WithoutUserTime returns a context for work that outlasts the call.
func WithoutUserTime(ctx context.Context) context.Context {
	return context.WithValue(ctx, userTimeKey{}, (*UserTime)(nil))
}

func userTime(ctx context.Context) *UserTime {
	t, _ := ctx.Value(userTimeKey{}).(*UserTime)
	return t
}

// Total returns the total time so far.
func (t *UserTime) Total() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open > 0 {
		return t.took + time.Since(t.since)
	}
	return t.took
}

// add adds n to the number of open questions. n may be negative.
func (t *UserTime) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.open
	t.open += n
	switch {
	case was == 0 && t.open > 0:
		t.since = time.Now()
	case was > 0 && t.open == 0:
		t.took += time.Since(t.since)
	}
}

// UserTimes holds the UserTime of each call that runs on one server. The zero value is ready to
// use. It is safe for concurrent use.
type UserTimes struct {
	mu    sync.Mutex
	calls map[*UserTime]int // how often each one runs here; a chain has several calls in one context
	open  int               // number of questions that name no call
}

// Begin registers the call of ctx until the caller calls end. The server's questions that name no
// call then count for this call too.
func (u *UserTimes) Begin(ctx context.Context) (end func()) {
	t := userTime(ctx)
	if t == nil {
		return func() {}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.calls == nil {
		u.calls = make(map[*UserTime]int)
	}
	if u.calls[t]++; u.calls[t] == 1 {
		t.add(u.open)
	}
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		if u.calls[t]--; u.calls[t] == 0 {
			delete(u.calls, t)
			t.add(-u.open)
		}
	}
}

// Ask counts a question until the caller calls answered. It counts for the call of ctx. If ctx has
// none, it counts for each call of the server that runs in the meantime. Forms name their call only
// since MCP 2026-07-28.
func (u *UserTimes) Ask(ctx context.Context) (answered func()) {
	if t := userTime(ctx); t != nil {
		t.add(1)
		return func() { t.add(-1) }
	}
	u.add(1)
	return func() { u.add(-1) }
}

func (u *UserTimes) add(n int) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.open += n
	for t := range u.calls {
		t.add(n)
	}
}
