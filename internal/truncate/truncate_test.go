package truncate

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestBytes(t *testing.T) {
	for _, r := range []struct {
		text string
		n    int
		want string
	}{
		{"12345", 5, "12345"}, {"123456", 5, "12…"}, {"1é2345", 5, "1…"}, {"12345", 3, "…"}, {"12345", 2, ""}, {"12345", -1, ""}, {"", 0, ""},
	} {
		if got := Bytes(r.text, r.n); got != r.want {
			t.Errorf("%q, %d: %q, want %q", r.text, r.n, got, r.want)
		}
	}
}

func TestRunes(t *testing.T) {
	for _, r := range []struct {
		text string
		n    int
		want string
	}{
		{"ééééé", 5, "ééééé"}, {"éééééé", 5, "éééé…"}, {"12345", 1, "…"}, {"12345", 0, ""}, {"12345", -1, ""}, {"", 0, ""},
	} {
		if got := Runes(r.text, r.n); got != r.want {
			t.Errorf("%q, %d: %q, want %q", r.text, r.n, got, r.want)
		}
	}
}

func TestLimitsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, n := rapid.String().Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "n")
		if got := Bytes(text, n); len(got) > n || !utf8.ValidString(got) {
			t.Errorf("%q, %d bytes: %q", text, n, got)
		}
		if got := Runes(text, n); utf8.RuneCountInString(got) > n {
			t.Errorf("%q, %d characters: %q", text, n, got)
		}
	})
}
