package pagetest

import (
	"slices"
	"testing"
	"time"

	"goated/ui/kit"
)

// frameTime is the maximal time for which work may block the UI goroutine.
const frameTime = 50 * time.Millisecond

// A Stopwatch measures the work on the UI goroutine.
type Stopwatch struct{ took []time.Duration }

// Run runs f and measures it.
func (w *Stopwatch) Run(f func()) {
	began := time.Now()
	f()
	w.took = append(w.took, time.Since(began))
}

// Runner returns a runner that runs work with begin, and measures only the part on the UI
// goroutine. If begin is nil, it runs the work immediately.
func (w *Stopwatch) Runner(begin func(func())) kit.Runner {
	if begin == nil {
		begin = func(f func()) { f() }
	}
	return kit.Runner{Begin: begin, Post: w.Run}
}

// Report reports the longest time, and the longest time without the few that other programs
// delayed. The latter must fit into a frame.
func (w *Stopwatch) Report(b *testing.B) {
	slices.Sort(w.took)
	most := w.took[len(w.took)*98/100]
	b.ReportMetric(float64(most.Microseconds())/1000, "ms/p98")
	b.ReportMetric(float64(w.took[len(w.took)-1].Microseconds())/1000, "ms/longest")
	if most > frameTime {
		b.Errorf("a frame took %v", most)
	}
}
