package enumeration

import "testing"

func TestThingsReadAsAPartOfASentence(t *testing.T) {
	for _, tt := range []struct {
		things  []any
		and, or string
	}{
		{nil, "", ""},
		{[]any{"git"}, "git", "git"},
		{[]any{"git", 2}, "git and 2", "git or 2"},
		{[]any{"git", "time", "sqlite"}, "git, time and sqlite", "git, time or sqlite"},
		{[]any{"a", "b", "c", "d"}, "a, b, c and d", "a, b, c or d"},
	} {
		if and, or := And(tt.things), Or(tt.things); and != tt.and || or != tt.or {
			t.Errorf("%v: %q and %q", tt.things, and, or)
		}
	}
}
