package inspectcmd

import "testing"

func TestBytesText(t *testing.T) {
	for n, want := range map[int]string{999: "999 B", 1000: "1.0 kB", 999_949: "999.9 kB", 999_960: "1.0 MB", 1_900_000: "1.9 MB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d bytes are %q, not %q", n, got, want)
		}
	}
}
