package ui

import (
	"context"
	"sync/atomic"
	"time"
)

// beatTime is the pace of everything that moves by itself. Fyne's own
// animations repaint the whole window sixty times a second; ten are enough to
// be seen.
const beatTime = 100 * time.Millisecond

// A clock calls back on the UI goroutine while anyone listens, and sleeps while
// no one does. Except for run, its methods belong to the UI goroutine.
type clock struct {
	post  func(func())
	beats []*beat
	count atomic.Int32  // of beats, for run
	wake  chan struct{} // holds a token when the first listener comes
	due   atomic.Bool   // a tick is posted and has not run yet
}

// A beat is one listener.
type beat struct {
	every, n int
	f        func()
}

func newClock(post func(func())) *clock {
	return &clock{post: post, wake: make(chan struct{}, 1)}
}

// add calls f with every n-th beat, until the beat is removed.
func (c *clock) add(every int, f func()) *beat {
	b := &beat{every: every, f: f}
	c.beats = append(c.beats, b)
	c.count.Add(1)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return b
}

func (c *clock) remove(b *beat) {
	for i, have := range c.beats {
		if have == b {
			c.beats = append(c.beats[:i:i], c.beats[i+1:]...)
			c.count.Add(-1)
			return
		}
	}
}

// tick is one beat.
func (c *clock) tick() {
	c.due.Store(false)
	for _, b := range c.beats {
		if b.n++; b.n%b.every == 0 {
			b.f()
		}
	}
}

// run is the clock's goroutine; it ends with ctx.
func (c *clock) run(ctx context.Context) {
	ticker := time.NewTicker(beatTime)
	ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		}
		ticker.Reset(beatTime)
		for c.count.Load() > 0 {
			select {
			case <-ctx.Done():
				ticker.Stop()
				return
			case <-ticker.C:
			}
			if !c.due.Swap(true) {
				c.post(c.tick)
			}
		}
		ticker.Stop()
	}
}
