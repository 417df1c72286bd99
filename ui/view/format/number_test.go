package format

import "testing"

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 12_340: "12.3 kB", 999_900: "999.9 kB",
		999_950: "1.0 MB", 999_999: "1.0 MB", 1_000_000: "1.0 MB", 12_340_000: "12.3 MB",
	} {
		if got := Size(n); got != want {
			t.Errorf("%d bytes are %q, not %q", n, got, want)
		}
	}
}
