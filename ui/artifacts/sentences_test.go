package artifacts

import (
	"strings"
	"testing"
)

// A sentence is marked if it contains the name of a changed symbol as a whole word.
func TestSentencesAboutChanges(t *testing.T) {
	for _, test := range []struct {
		text    string
		changed []string
		want    string
	}{
		{"Keeps changes. Add waits for the disk, Next returns the oldest. It is in queue.go. Adder is another.", []string{"Queue.Add"}, "Add waits for the disk, Next returns the oldest."},
		{"Each `Add` is written.\nNext reads it!  And Close? See Next", []string{"Queue.Next", "Close (removed)"}, "Next reads it!|And Close?|See Next"},
		{"Größe ändert sich. Die Größe von Prüfen wächst.", []string{"Prüfen"}, "Die Größe von Prüfen wächst."},
		{"Nothing changed here.", []string{"Queue.Add"}, ""},
		{"Is it empty? It is.", nil, ""},
	} {
		var have []string
		for _, p := range sentencesAbout(test.text, test.changed) {
			have = append(have, string([]rune(test.text)[p[0]:p[1]]))
		}
		if strings.Join(have, "|") != test.want {
			t.Errorf("%q: marked %q, want %q", test.text, have, test.want)
		}
	}
}
