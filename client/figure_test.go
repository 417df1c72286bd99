//go:build unix

package client_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A figure contains the durations of an operation, and the published goal for their p99.
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

// at returns the given percentile.
func (f *figure) at(percent int) time.Duration {
	return f.took[(len(f.took)*percent+99)/100-1].Round(10 * time.Microsecond)
}

// check logs the figure. In a soak run it fails the test if the p99 misses its goal by more
// than the noise of the machine.
func (f *figure) check(t *testing.T) {
	t.Helper()
	t.Log(f)
	if len(f.took) == 0 || late(f.at(99), f.goal) {
		t.Errorf("%s", f)
	}
}

// late reports whether something took longer than its goal plus the noise. Only soak runs
// assert times, because any of them can be missed on a shared machine.
func late(took, goal time.Duration) bool {
	return took > goal && soak("GOATED_SOAK_FIGURES", 0) > 0 && took > slowdown*goal+noise()
}

// noise returns the current p99 delay of short timers in this process.
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
