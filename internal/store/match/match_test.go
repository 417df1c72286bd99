package match_test

import (
	"strings"
	"testing"

	"goated/internal/store/match"
)

// Snippet marks each match in its line, even if folding changes the number of bytes, and merges
// overlapping matches.
func TestSnippetMarksTheMatches(t *testing.T) {
	for _, tt := range []struct {
		text, words string
		want        []string
	}{
		{"How is the Weather in Lisbon?", "weather lisbon", []string{"Weather", "Lisbon"}},
		{"Straße ſtraſſe STRASSE", "strasse", []string{"ſtraſſe", "STRASSE"}},
		{"the \u212Aelvin scale", "kelvin", []string{"\u212Aelvin"}}, // the sign has three bytes, k has one
		{"abcabc", "abca cab", []string{"abcab"}},
		{"nothing here", "absent", nil},
	} {
		line, at := match.Snippet(tt.text, strings.Fields(match.Fold(tt.words)))
		var got []string
		for _, m := range at {
			got = append(got, line[m[0]:m[1]])
		}
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("%q in %q: %q, want %q", tt.words, line, got, tt.want)
		}
	}
}

// A snippet of a long text starts shortly before the first match.
func TestSnippetIsShort(t *testing.T) {
	text := strings.Repeat("é ", 300) + "needle" + strings.Repeat(" é", 300)
	line, at := match.Snippet(text, []string{match.Fold("needle")})
	if n := len([]rune(line)); n > 170 || len(at) != 1 || line[at[0][0]:at[0][1]] != "needle" || !strings.HasPrefix(line, "…") || !strings.HasSuffix(line, "…") {
		t.Errorf("%d characters, matches %v: %q", n, at, line)
	}
}
