package searchfield

import (
	"testing"

	"goated/internal/store"
)

// The text of a hit has no Markdown marks, like the list of conversations. The match is
// highlighted at its new position.
func TestHitsAreWithoutMarks(t *testing.T) {
	for _, tt := range []struct {
		snippet string
		matches [][2]int
		want    string
		marked  []string
	}{
		{"…this is the **most urgent** one, and urgent", [][2]int{{22, 28}, {40, 46}}, "…this is the most urgent one, and urgent", []string{"urgent", "urgent"}},
		{"the **Ürgent** thing", [][2]int{{6, 13}}, "the Ürgent thing", []string{"Ürgent"}},
		{"a ** b", [][2]int{{2, 4}}, "a ** b", []string{"**"}},
		{"plain text", [][2]int{{0, 5}}, "plain text", []string{"plain"}},
	} {
		got := plainly(store.Hit{Snippet: tt.snippet, Matches: tt.matches})
		var marked []string
		for _, m := range got.Matches {
			marked = append(marked, got.Snippet[m[0]:m[1]])
		}
		if got.Snippet != tt.want || len(marked) != len(tt.marked) || marked[0] != tt.marked[0] {
			t.Errorf("%q: %q with %q, want %q with %q", tt.snippet, got.Snippet, marked, tt.want, tt.marked)
		}
	}
}
