package kit

import (
	"context"
	"slices"
	"sync/atomic"
	"time"
)

// beatTime is the interval of one beat. Every animation and timer of the window counts in beats.
// Fyne's own animations repaint the whole window sixty times a second; ten times a second is
// smooth enough.
const beatTime = 100 * time.Millisecond

// A Clock calls its listeners on the UI goroutine. It sleeps while it has no
// listener. All methods except Run belong to the UI goroutine.
type Clock struct {
	Post    func(func())
	Tickers []*Ticker
	pace    atomic.Int32  // the number of beats between two ticks; 0 without a listener
	wake    chan struct{} // holds a token after the first listener is added
	due     atomic.Bool   // a tick is posted and has not run yet
}

// A Ticker is one listener.
type Ticker struct {
	every, n int
	f        func()
}

func NewClock(post func(func())) *Clock {
	return &Clock{Post: post, wake: make(chan struct{}, 1)}
}

// Add calls f every n beats, until the ticker is removed.
func (c *Clock) Add(every int, f func()) *Ticker {
	b := &Ticker{every: every, f: f}
	c.Tickers = append(c.Tickers, b)
	c.setPace()
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return b
}

// Remove stops a ticker. It does nothing if the ticker is nil or was removed before.
func (c *Clock) Remove(b *Ticker) {
	for i, have := range c.Tickers {
		if have == b {
			c.Tickers = append(c.Tickers[:i:i], c.Tickers[i+1:]...)
			c.setPace()
			return
		}
	}
}

// setPace sets the pace to the greatest common divisor of all intervals. Each tick
// wakes the window, so the clock skips ticks that call no listener.
func (c *Clock) setPace() {
	pace := 0
	for _, b := range c.Tickers {
		a, z := pace, b.every
		for z != 0 {
			a, z = z, a%z
		}
		pace = a
	}
	c.pace.Store(int32(pace))
}

// Tick calls each listener that is due after the given number of beats.
func (c *Clock) Tick(passed int) {
	c.due.Store(false)
	for _, b := range c.Tickers {
		if !slices.Contains(c.Tickers, b) {
			continue // an earlier listener of this tick has removed it
		}
		if b.n += passed; b.n >= b.every {
			b.n = 0
			b.f()
		}
	}
}

// Run is the body of the clock's goroutine. It returns when ctx ends.
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
