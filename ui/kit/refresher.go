package kit

import (
	"context"
	"time"
)

// refreshTime is the minimal time between two redraws.
const refreshTime = 33 * time.Millisecond

// A Refresher redraws on request, at most thirty times a second and with at most
// one redraw pending. Request is safe for concurrent use and never blocks.
type Refresher struct {
	post  func(func())
	draw  func() // runs on the UI goroutine
	dirty chan struct{}
}

func NewRefresher(post func(func()), draw func()) *Refresher {
	return &Refresher{post: post, draw: draw, dirty: make(chan struct{}, 1)}
}

// Request asks for a redraw.
func (p *Refresher) Request() {
	select {
	case p.dirty <- struct{}{}:
	default:
	}
}

// Run is the body of the refresher's goroutine. It returns when ctx ends.
func (p *Refresher) Run(ctx context.Context) {
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
		pause.Reset(refreshTime)
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}
