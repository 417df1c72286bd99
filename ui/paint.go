package ui

import (
	"context"
	"time"
)

// paintTime is the least time between two redraws while an answer streams in.
const paintTime = 33 * time.Millisecond

// A painter redraws on request. However often it is asked, at most one redraw is
// pending, and at most thirty happen in a second. request is safe for concurrent
// use and never blocks.
type painter struct {
	post  func(func())
	draw  func() // runs on the UI goroutine
	dirty chan struct{}
}

func newPainter(post func(func()), draw func()) *painter {
	return &painter{post: post, draw: draw, dirty: make(chan struct{}, 1)}
}

func (p *painter) request() {
	select {
	case p.dirty <- struct{}{}:
	default:
	}
}

// run is the painter's goroutine; it ends with ctx.
func (p *painter) run(ctx context.Context) {
	pause := time.NewTimer(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.dirty:
		}
		drawn := make(chan struct{})
		p.post(func() { p.draw(); close(drawn) })
		select {
		case <-ctx.Done():
			return
		case <-drawn:
		}
		pause.Reset(paintTime)
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}
