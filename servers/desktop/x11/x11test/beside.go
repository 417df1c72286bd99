package x11test

import (
	"testing"
	"time"
)

// Beside runs goated and other tools alternately, so that other load slows all of them down, and
// compares their fastest times. The benchmark fails if goated is slower than one of them.
func Beside(b *testing.B, ours func(), others map[string]func()) {
	b.Helper()
	fastest, theirs := time.Hour, make(map[string]time.Duration)
	took := func(f func()) time.Duration {
		begin := time.Now()
		f()
		return time.Since(begin)
	}
	for b.Loop() {
		fastest = min(fastest, took(ours))
		for name, f := range others {
			t := took(f)
			if before, ok := theirs[name]; ok {
				t = min(t, before)
			}
			theirs[name] = t
		}
	}
	b.ReportMetric(float64(fastest.Microseconds())/1000, "ms")
	for name, t := range theirs {
		b.ReportMetric(float64(t.Microseconds())/1000, "ms-"+name)
		b.ReportMetric(t.Seconds()/fastest.Seconds(), "times-"+name)
		if fastest > t {
			b.Errorf("goated takes %v, and %s %v", fastest, name, t)
		}
	}
}
