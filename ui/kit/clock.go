package kit

import (
	"context"
	"sync/atomic"
	"time"
)

// beatTime is the pace of everything that moves by itself. Fyne's own
// animations repaint the whole window sixty times a second; ten are enough to
// be seen.
const beatTime = 100 * time.Millisecond

// A Clock calls back on the UI goroutine while anyone listens, and sleeps while
// no one does. Except for run, its methods belong to the UI goroutine.
type Clock struct {
	Post  func(func())
	Beats []*Beat
	pace  atomic.Int32  // of beats that pass between two ticks; 0: no one listens
	wake  chan struct{} // holds a token when the first listener comes
	due   atomic.Bool   // a tick is posted and has not run yet
}

// A Beat is one listener.
type Beat struct {
	every, n int
	f        func()
}

func NewClock(post func(func())) *Clock {
	return &Clock{Post: post, wake: make(chan struct{}, 1)}
}

// Add calls f with every n-th beat, until the beat is removed.
func (c *Clock) Add(every int, f func()) *Beat {
	b := &Beat{every: every, f: f}
	c.Beats = append(c.Beats, b)
	c.walk()
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return b
}

func (c *Clock) Remove(b *Beat) {
	for i, have := range c.Beats {
		if have == b {
			c.Beats = append(c.Beats[:i:i], c.Beats[i+1:]...)
			c.walk()
			return
		}
	}
}

// walk finds the pace: no tick comes that nobody listens to, since each of them
// wakes the window.
func (c *Clock) walk() {
	pace := 0
	for _, b := range c.Beats {
		a, z := pace, b.every
		for z != 0 {
			a, z = z, a%z
		}
		pace = a
	}
	c.pace.Store(int32(pace))
}

// Tick is what happens when so many beats have passed.
func (c *Clock) Tick(passed int) {
	c.due.Store(false)
	for _, b := range c.Beats {
		if b.n += passed; b.n >= b.every {
			b.n = 0
			b.f()
		}
	}
}

// Run is the clock's goroutine; it ends with ctx.
func (c *Clock) Run(ctx context.Context) {
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
				c.Post(func() { c.Tick(n) })
			}
		}
		ticker.Stop()
	}
}
