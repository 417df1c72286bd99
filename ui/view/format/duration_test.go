package format

import (
	"testing"
	"time"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", time.Microsecond: "<1 ms", 999_900 * time.Microsecond: "999 ms", time.Second: "1.0 s",
		9949 * time.Millisecond: "9.9 s", 9960 * time.Millisecond: "10 s", 59_400 * time.Millisecond: "59 s",
		59_600 * time.Millisecond: "1 min 0 s", 61 * time.Second: "1 min 1 s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%v is %q, not %q", d, got, want)
		}
	}
}
