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
	pace  atomic.Int32  // of beats that pass between two ticks; 0: no one listens
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
	c.walk()
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
			c.walk()
			return
		}
	}
}

// walk finds the pace: no tick comes that nobody listens to, since each of them
// wakes the window.
func (c *clock) walk() {
	pace := 0
	for _, b := range c.beats {
		a, z := pace, b.every
		for z != 0 {
			a, z = z, a%z
		}
		pace = a
	}
	c.pace.Store(int32(pace))
}

// tick is what happens when so many beats have passed.
func (c *clock) tick(passed int) {
	c.due.Store(false)
	for _, b := range c.beats {
		if b.n += passed; b.n >= b.every {
			b.n = 0
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
		passed := 0
		for c.pace.Load() > 0 {
			select {
			case <-ctx.Done():
				ticker.Stop()
				return
			case <-ticker.C:
			}
			if passed++; passed >= int(c.pace.Load()) && !c.due.Swap(true) {
				n := passed
				passed = 0
				c.post(func() { c.tick(n) })
			}
		}
		ticker.Stop()
	}
}
