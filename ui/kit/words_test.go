package kit

import "testing"

// The canvas dropped tag letters, isolates and overrides, so that "ab" could stand for nine
// characters.
func TestShownMarksHiddenCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"plain\twords":           "plain    words",
		"a\u202Eb\u2066":         "a⟨U+202E⟩b⟨U+2066⟩",
		"a\U000E0041\U000E0042b": "a⟨U+E0041⟩⟨U+E0042⟩b",
		"a\u200Bb":               "a⟨U+200B⟩b",
		"end\r\n":                "end",
		"👩\u200D💻 می\u200Cخواهم cafe\u0301": "👩\u200D💻 می\u200Cخواهم cafe\u0301",
	} {
		if got := Shown(text); got != want {
			t.Errorf("%+q is drawn as %q, want %q", text, got, want)
		}
	}
}
