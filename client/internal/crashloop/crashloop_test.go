package crashloop

import (
	"errors"
	"testing"
	"time"
)

// The maximum pause doubles up to 30 s. After a healthy minute it is reset. The sixth exit within a
// minute is the last.
func TestCrashes(t *testing.T) {
	want := []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second}
	for i, w := range want {
		if got := pause(i + 1); got != w {
			t.Errorf("pause %d is %v, want %v", i+1, got, w)
		}
	}
	now := time.Now()
	var c Crashes
	for i := range 5 {
		d, ok := c.Add(now.Add(time.Duration(i)*time.Second), time.Second)
		if !ok || d < 0 || d > want[i] {
			t.Errorf("end %d: %v %v", i+1, d, ok)
		}
	}
	if _, ok := c.Add(now.Add(6*time.Second), time.Second); ok {
		t.Error("it is restarted after the sixth end within a minute")
	}
	if got := c.GiveUpError(now.Add(6*time.Second), nil).Error(); got != "it ended 6 times within a minute, so goated does not restart it" {
		t.Errorf("the error is %q", got)
	}
	if d, ok := c.Add(now.Add(2*time.Minute), time.Second); !ok || d > 30*time.Second {
		t.Errorf("after the minute: %v %v", d, ok)
	}
	if d, ok := c.Add(now.Add(4*time.Minute), 61*time.Second); !ok || d > 500*time.Millisecond {
		t.Errorf("after a healthy minute: %v %v", d, ok)
	}
	// This server first exits slowly and then fast. Only the exits of the last minute count.
	var slow Crashes
	for i := range 9 {
		slow.Add(now.Add(time.Duration(i)*30*time.Second), 29*time.Second)
	}
	last, at := true, now.Add(4*time.Minute)
	for n := 0; last && n < 10; n++ {
		at = at.Add(5 * time.Second)
		_, last = slow.Add(at, time.Second)
	}
	end := errors.New("exit status 9")
	if got := slow.GiveUpError(at, end); !errors.Is(got, end) || got.Error() != "exit status 9; it ended 6 times within a minute, so goated does not restart it" {
		t.Errorf("after %d ends, the error is %q", len(slow.times), got)
	}
	var spread Crashes
	least, most := time.Hour, time.Duration(0)
	for range 200 {
		spread.times = spread.times[:0]
		d, _ := spread.Add(now, 0)
		least, most = min(least, d), max(most, d)
	}
	if least > 50*time.Millisecond || most < 450*time.Millisecond {
		t.Errorf("the pauses are between %v and %v", least, most)
	}
}
