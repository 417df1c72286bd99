package ui

import (
	"context"
	"sync"
)

// tasks are the goroutines of the window.
type tasks struct {
	queue   func(func())    // runs a function on the UI goroutine later; see post
	ctx     context.Context // for all work in progress; Close cancels it
	cancel  context.CancelFunc
	group   sync.WaitGroup
	closing sync.Once
}

// post runs f on the UI goroutine later. It is the only way for other goroutines to reach the
// UI goroutine. After Close it does nothing, because Fyne would run f on the calling goroutine.
func (t *tasks) post(f func()) {
	if t.ctx.Err() == nil {
		t.queue(f)
	}
}

// begin runs f on a goroutine that Close waits for. After Close it does
// nothing.
func (t *tasks) begin(f func()) {
	if t.ctx.Err() == nil {
		t.group.Go(f)
	}
}
