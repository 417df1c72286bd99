package client

import (
	"errors"
	"testing"
	"time"
)

// The pauses double up to half a minute, of which any part is waited; a healthy
// minute makes them begin anew; and the sixth end within a minute is the last.
func TestCrashes(t *testing.T) {
	want := []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second}
	for i, w := range want {
		if got := pause(i + 1); got != w {
			t.Errorf("pause %d is %v, not %v", i+1, got, w)
		}
	}
	now := time.Now()
	var c crashes
	for i := range 5 {
		d, ok := c.add(now.Add(time.Duration(i)*time.Second), time.Second)
		if !ok || d < 0 || d > want[i] {
			t.Errorf("end %d: %v %v", i+1, d, ok)
		}
	}
	if _, ok := c.add(now.Add(6*time.Second), time.Second); ok {
		t.Error("it is started a sixth time within a minute")
	}
	if got := c.given(now.Add(6*time.Second), nil).Error(); got != "it ended 6 times within a minute and is not started again" {
		t.Errorf("it says %q", got)
	}
	if d, ok := c.add(now.Add(2*time.Minute), time.Second); !ok || d > 30*time.Second {
		t.Errorf("after the minute: %v %v", d, ok)
	}
	if d, ok := c.add(now.Add(4*time.Minute), 61*time.Second); !ok || d > 500*time.Millisecond {
		t.Errorf("after a healthy minute: %v %v", d, ok)
	}
	// One that ended slowly, and then fast: what was longer ago than a minute is
	// not of that minute.
	var slow crashes
	for i := range 9 {
		slow.add(now.Add(time.Duration(i)*30*time.Second), 29*time.Second)
	}
	last, at := true, now.Add(4*time.Minute)
	for n := 0; last && n < 10; n++ {
		at = at.Add(5 * time.Second)
		_, last = slow.add(at, time.Second)
	}
	end := errors.New("exit status 9")
	if got := slow.given(at, end); !errors.Is(got, end) || got.Error() != "exit status 9; it ended 6 times within a minute and is not started again" {
		t.Errorf("of %d ends it says %q", len(slow.times), got)
	}
	var spread crashes
	least, most := time.Hour, time.Duration(0)
	for range 200 {
		spread.times = spread.times[:0]
		d, _ := spread.add(now, 0)
		least, most = min(least, d), max(most, d)
	}
	if least > 50*time.Millisecond || most < 450*time.Millisecond {
		t.Errorf("the jitter goes from %v to %v", least, most)
	}
}
