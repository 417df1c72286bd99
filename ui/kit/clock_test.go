package kit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A clock wakes the UI goroutine only when a listener is due, and never without
// a listener.
func TestClockTicksOnlyWhenAListenerIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticks := make(chan func(), 100)
		c := NewClock(func(f func()) { ticks <- f })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); c.Run(ctx) }()
		pass := func(d time.Duration) (n int) {
			for end := time.Now().Add(d); time.Now().Before(end); {
				time.Sleep(beatTime / 2)
				synctest.Wait()
				for len(ticks) > 0 {
					(<-ticks)()
					n++
				}
			}
			return n
		}
		if n := pass(10 * time.Second); n != 0 {
			t.Errorf("%d ticks without a listener, want 0", n)
		}
		two, three := 0, 0
		a := c.Add(2, func() { two++ })
		if n := pass(6 * time.Second); n < 29 || n > 30 || two != n {
			t.Errorf("%d ticks and %d calls in 60 beats, want 30 of each for a listener of every second beat", n, two)
		}
		two = 0
		b := c.Add(4, func() { three++ })
		if n := pass(6 * time.Second); n < 29 || n > 31 || two != n || three < 14 || three > 16 {
			t.Errorf("%d ticks, %d and %d calls; want about 30, 30 and 15", n, two, three)
		}
		c.Remove(a)
		c.Remove(b)
		if n := pass(10 * time.Second); n > 1 {
			t.Errorf("%d ticks after the last listener was removed, want at most 1", n)
		}
		fast := 0
		c.Add(5, func() {})
		pass(100 * time.Millisecond)
		c.Add(1, func() { fast++ })
		if pass(time.Second); fast < 9 {
			t.Errorf("a listener of every beat was called %d times in 10 beats", fast)
		}
		cancel()
		<-ended
	})
}

// A listener ran once more after another listener of the same tick had removed it.
func TestARemovedListenerIsNotCalled(t *testing.T) {
	c := NewClock(func(func()) {})
	var removed *Ticker
	c.Add(1, func() { c.Remove(removed) })
	removed = c.Add(1, func() { t.Error("it was called") })
	c.Tick(1)
}
