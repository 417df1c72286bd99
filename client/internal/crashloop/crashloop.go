// Package crashloop decides when goated restarts a server that exits by itself, and when it gives
// up. It knows the times of the exits and nothing else.
package crashloop

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// If a server exits unexpectedly, goated restarts it after a pause. The longest pause doubles
// with each exit. The actual pause is a random part of it, so that servers that exited
// together do not start together. After a server has run for a while, its first pause is short
// again. goated does not restart a server that exits too often within a minute.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	healthy      = 60 * time.Second
	maxCrashes   = 5
	// knownCrashes is how many ends are remembered: enough for the longest pause and
	// for maxCrashes.
	knownCrashes = 8
)

// Crashes holds the times at which a server exited unexpectedly, since it last ran for the
// time called healthy. The zero value has none. It is not safe for concurrent use.
type Crashes struct {
	times []time.Time
}

// Add records an end, now, of a session that lasted so long. It returns the pause
// before the restart; ok is false if the server is not restarted.
func (c *Crashes) Add(now time.Time, lasted time.Duration) (wait time.Duration, ok bool) {
	if lasted >= healthy {
		c.times = nil
	}
	c.times = append(c.times[max(0, len(c.times)-knownCrashes+1):], now)
	if c.recent(now) > maxCrashes {
		return 0, false
	}
	return time.Duration(rand.Int64N(int64(pause(len(c.times))) + 1)), true
}

// recent counts the ends within the last minute. Earlier ones only make the pause
// longer.
func (c *Crashes) recent(now time.Time) int {
	n := 0
	for _, t := range c.times {
		if now.Sub(t) < healthy {
			n++
		}
	}
	return n
}

// pause returns the longest pause after the nth end.
func pause(n int) time.Duration {
	d := firstPause
	for ; n > 1 && d < longestPause; n-- {
		d *= 2
	}
	return min(d, longestPause)
}

// GaveUp returns the error of a server that goated gave up; err is how it ended.
func (c *Crashes) GaveUp(now time.Time, err error) error {
	often := fmt.Errorf("it ended %d times within a minute, so goated does not restart it", c.recent(now))
	if err == nil {
		return often
	}
	return fmt.Errorf("%w; %w", err, often)
}
