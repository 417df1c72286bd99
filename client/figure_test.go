//go:build unix

package client_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A figure is the times that something took, and the published goal of their p99.
type figure struct {
	what string
	goal time.Duration
	took []time.Duration
}

func (f *figure) String() string {
	if len(f.took) == 0 {
		return f.what + ": never"
	}
	slices.Sort(f.took)
	return fmt.Sprintf("%-42s goal %7v | p50 %9v | p99 %9v | max %9v | n=%d", f.what, f.goal, f.at(50), f.at(99), f.at(100), len(f.took))
}

// at is the given percentile.
func (f *figure) at(percent int) time.Duration {
	return f.took[(len(f.took)*percent+99)/100-1].Round(10 * time.Microsecond)
}

// check logs the figure. In the soak form it fails if the p99 misses its goal by more
// than the noise of the machine.
func (f *figure) check(t *testing.T) {
	t.Helper()
	t.Log(f)
	if len(f.took) == 0 || late(f.at(99), f.goal) {
		t.Errorf("%s", f)
	}
}

// late reports whether something took longer than its goal and the noise. Only the soak
// form asserts times: on a shared machine, any of them can be missed.
func late(took, goal time.Duration) bool {
	return took > goal && soak("GOATED_SOAK_FIGURES", 0) > 0 && took > slowdown*goal+noise()
}

// noise is the p99 by which short timers of this process are late now.
func noise() time.Duration {
	const pause = time.Millisecond
	f := figure{}
	for range 100 {
		began := time.Now()
		time.Sleep(pause)
		f.took = append(f.took, time.Since(began)-pause)
	}
	slices.Sort(f.took)
	return f.at(99)
}
