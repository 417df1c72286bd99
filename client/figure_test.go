//go:build unix

package client_test

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// A figure is how long something took, each time that it was done, beside how
// long it is to take.
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

// at is the value that so many percent are not above.
func (f *figure) at(percent int) time.Duration {
	return f.took[(len(f.took)*percent+99)/100-1].Round(10 * time.Microsecond)
}

// check prints the figure, and fails only where no busy machine explains it.
func (f *figure) check(t *testing.T) {
	t.Helper()
	t.Log(f)
	if len(f.took) == 0 || f.at(50) > f.goal+slack {
		t.Errorf("%s", f)
	}
}
