// Package crashloop decides when goated restarts a server that exits unexpectedly, and when it
// gives up. It must not know anything except the times of the exits.
package crashloop

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// If a server exits unexpectedly, goated restarts it after a pause. The maximum pause doubles with
// each exit. The actual pause is a random part of it, so that servers that exited together do not
// start together. After a server has run for a while, the maximum is reset. goated does not restart
// a server that exits too often within a minute.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	healthy      = 60 * time.Second
	maxCrashes   = 5
	// knownCrashes bounds the remembered exits. It is enough for the longest pause and for
	// maxCrashes.
	knownCrashes = 8
)

// Crashes holds the times at which a server exited unexpectedly since its last healthy run. The
// zero value has none. It is not safe for concurrent use.
type Crashes struct {
	times     []time.Time
	unreached int // tries to reach it since the last exit
}

// Add records an exit at the time now, after a session of the given duration. It returns the pause
// before the restart. ok is false if goated must not restart the server.
func (c *Crashes) Add(now time.Time, lasted time.Duration) (wait time.Duration, ok bool) {
	if c.unreached = 0; lasted >= healthy {
		c.times = nil
	}
	c.times = append(c.times[max(0, len(c.times)-knownCrashes+1):], now)
	if c.recent(now) > maxCrashes {
		return 0, false
	}
	return spread(pause(len(c.times))), true
}

// AddUnreached records a try to restart a server that did not reach it. It returns the pause before the
// next one. There is always a next one, because the network may be down for hours.
func (c *Crashes) AddUnreached() (wait time.Duration) {
	c.unreached++
	return spread(pause(c.unreached))
}

// spread returns a random part of a pause.
func spread(pause time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(pause) + 1))
}

// recent counts the exits within the last minute. Earlier ones only make the pause longer.
func (c *Crashes) recent(now time.Time) int {
	n := 0
	for _, t := range c.times {
		if now.Sub(t) < healthy {
			n++
		}
	}
	return n
}

// pause returns the maximum pause after the nth exit.
func pause(n int) time.Duration {
	d := firstPause
	for ; n > 1 && d < longestPause; n-- {
		d *= 2
	}
	return min(d, longestPause)
}

// GiveUpError returns the error for a server that goated no longer restarts. err is the reason for its
// last exit.
func (c *Crashes) GiveUpError(now time.Time, err error) error {
	often := fmt.Errorf("it ended %d times within a minute, so goated does not restart it", c.recent(now))
	if err == nil {
		return often
	}
	return fmt.Errorf("%w; %w", err, often)
}
