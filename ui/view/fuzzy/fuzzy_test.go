package fuzzy

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFuzzyFindsTheBestPlace(t *testing.T) {
	for _, c := range []struct{ query, text, marks string }{
		{"nc", "New chat", "N   c   "},
		{"set", "Open settings", "     set     "},
		{"con", "Disconnect, or connect", "               con    "},
		{"rf", "read_file", "r    f   "},
		{"tF", "readTextFile", "    T   F   "},
		{"new chat", "New chat", "New chat"},
		{"é", "Café", "   é"},
	} {
		_, at, ok := fuzzy(c.query, c.text)
		if !ok {
			t.Errorf("%q does not match %q", c.query, c.text)
			continue
		}
		marks := []rune(strings.Repeat(" ", len([]rune(c.text))))
		for _, i := range at {
			marks[i] = []rune(c.text)[i]
		}
		if c.query == "new chat" {
			marks[3] = ' ' // the search ignores spaces
		}
		if string(marks) != c.marks {
			t.Errorf("%q in %q:\n got %q\nwant %q", c.query, c.text, string(marks), c.marks)
		}
	}
	if _, _, ok := fuzzy("chatx", "New chat"); ok {
		t.Error("letters that are not there match")
	}
}

func TestRankPutsTheBestFirst(t *testing.T) {
	titles := []string{"Disconnect metrics", "Zoom in", "Connect a tool", "Theme: light"}
	beside := []string{"Server", "Window", "Server", "Window"}
	got := Rank("con", len(titles), func(i int) (string, string) { return titles[i], beside[i] })
	if len(got) != 2 || titles[got[0].Index] != "Connect a tool" {
		t.Errorf("it ranks %+v", got)
	}
	if got := Rank("window", len(titles), func(i int) (string, string) { return titles[i], beside[i] }); len(got) != 2 || got[0].Index != 1 {
		t.Errorf("the group ranks %+v", got)
	}
	if got := Rank("", len(titles), func(i int) (string, string) { return titles[i], "" }); len(got) != 4 || got[3].Index != 3 {
		t.Errorf("nothing typed ranks %+v", got)
	}
}

// A match returns the right positions: those of the letters of the query, in order.
func TestFuzzyIsWhereItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Z_ éß✓]{0,40}`).Draw(t, "text")
		query := rapid.StringMatching(`[a-zA-Z é]{0,6}`).Draw(t, "query")
		_, at, ok := fuzzy(query, text)
		if !ok {
			return
		}
		want := slices.DeleteFunc(lowerRunes(query), func(r rune) bool { return r == ' ' })
		if len(at) != len(want) || !slices.IsSorted(at) {
			t.Fatalf("%q in %q lies at %v", query, text, at)
		}
		for i, j := range at {
			if lowerRunes(text)[j] != want[i] {
				t.Fatalf("%q in %q: %d is %q", query, text, j, lowerRunes(text)[j])
			}
		}
	})
}
