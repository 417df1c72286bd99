package inspector

import "testing"

func TestBytesOf(t *testing.T) {
	for n, want := range map[int]string{84: "84 B", 200: "0.2 kB", 999_949: "999.9 kB", 999_960: "1.0 MB", 1_900_000: "1.9 MB"} {
		if got := bytesOf(n); got != want {
			t.Errorf("%d bytes are %q, not %q", n, got, want)
		}
	}
}
