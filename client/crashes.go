package client

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// How servers that ended by themselves are brought back: with a pause that
// doubles, of which a random part is waited so that servers which fell together
// do not rise together; anew after a while of health; and no more when they end
// too often within a minute.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	healthy      = 60 * time.Second
	maxCrashes   = 5
	// knownCrashes are enough for the longest pause, and for maxCrashes.
	knownCrashes = 8
)

// crashes are the times at which a server ended by itself, one after another
// without a healthy while between.
type crashes struct {
	times []time.Time
}

// add notes an end after a session that lasted so long. It returns the pause
// before the next start, or false where there is to be none.
func (c *crashes) add(now time.Time, lasted time.Duration) (time.Duration, bool) {
	if lasted >= healthy {
		c.times = nil
	}
	c.times = append(c.times[max(0, len(c.times)-knownCrashes+1):], now)
	if c.recent(now) > maxCrashes {
		return 0, false
	}
	return time.Duration(rand.Int64N(int64(pause(len(c.times))) + 1)), true
}

// recent counts the ends within the last minute: those before it make the pause
// longer, and no more.
func (c *crashes) recent(now time.Time) int {
	n := 0
	for _, t := range c.times {
		if now.Sub(t) < healthy {
			n++
		}
	}
	return n
}

// pause is the longest wait before the nth start.
func pause(n int) time.Duration {
	d := firstPause
	for ; n > 1 && d < longestPause; n-- {
		d *= 2
	}
	return min(d, longestPause)
}

// given says that there will be no further start.
func (c *crashes) given(now time.Time, err error) error {
	often := fmt.Errorf("it ended %d times within a minute and is not started again", c.recent(now))
	if err == nil {
		return often
	}
	return fmt.Errorf("%w; %w", err, often)
}
