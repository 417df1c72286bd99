package models

import "testing"

// A pasted key loses what no key has: a line break within it made each request fail as if
// there was no network.
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
		if got := CleanKey(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestEnvironmentKey(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", " \n")
	t.Setenv("GOOGLE_API_KEY", "'AIza\nX'")
	if key, from := EnvironmentKey(); key != "AIzaX" || from != "GOOGLE_API_KEY" {
		t.Errorf("%q from %q", key, from)
	}
}
