package ansi

import "testing"

// The first and the last possible final byte belong to their sequence. The bytes before and after
// that range do not.
func TestFinalBytes(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[1@b":        "ab",
		"a\x1b[1~b":        "ab",
		"a\x1b[1\xc2\xa1b": "a\u00a1b",
		"a\x1b(0b":         "ab",
		"a\x1b(~b":         "ab",
		"a\x1b~b":          "ab",
		"a\x1b_b\ac":       "ac",
	} {
		if got := Strip(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
