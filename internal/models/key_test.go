package models

import (
	"context"
	"testing"

	"goated/internal/modelkey"
)

// CleanKey removes everything that no key contains. A line break inside a pasted key made each
// request fail as if there were no network.
func TestCleanKey(t *testing.T) {
	for text, want := range map[string]string{
		"AIzaX":                             "AIzaX",
		"  AIzaX \r\n":                      "AIzaX",
		"AIza\nX":                           "AIzaX",
		"AIza X":                            "AIzaX",
		"\u200bAIza\u00a0X\ufeff":           "AIzaX",
		`"AIzaX"`:                           "AIzaX",
		"“AIzaX”":                           "AIzaX",
		"GEMINI_API_KEY=AIzaX":              "AIzaX",
		"export GOOGLE_API_KEY=\"AIzaX\"\n": "AIzaX",
		"  \n":                              "",
		"c2VjcmV0==":                        "c2VjcmV0==",
	} {
		if got := modelkey.CleanKey(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestEnvironmentKey(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", " \n")
	t.Setenv("GOOGLE_API_KEY", "'AIza\nX'")
	if key, from := modelkey.EnvironmentKey(); key != "AIzaX" || from != "GOOGLE_API_KEY" {
		t.Errorf("%q from %q", key, from)
	}
}

func TestHeldKey(t *testing.T) {
	var h HeldKey
	ring := func(context.Context) (string, string) { return "of the ring", "keyring" }
	cleared := 0
	clear := func() error { cleared++; return nil }
	want := func(key, from string) {
		t.Helper()
		if k, f := h.Or(t.Context(), ring); k != key || f != from {
			t.Errorf("%q from %q, want %q from %q", k, f, key, from)
		}
	}
	want("of the ring", "keyring")
	h.Hold(" 'AIza' ")
	want("AIza", Memory)
	if err := h.Forget(clear); err != nil || cleared != 0 {
		t.Errorf("forgetting cleared the ring: %d, %v", cleared, err)
	}
	want("of the ring", "keyring")
	h.Hold("AIza")
	h.Hold("")
	want("of the ring", "keyring")
	if err := h.Forget(clear); err != nil || cleared != 1 {
		t.Errorf("the ring was cleared %d times, %v", cleared, err)
	}
}
