package kit

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"goated/ui/richtext"
)

// A word of a megabyte froze the window for seconds, because all of it was shaped only to decide
// whether it fits on a line.
func TestLongWordIsNotShaped(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	word := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAABQAAAALQCAIAAABAH0oB", 2000)
	b := LineBreaker{Measure: NewWordMeasure(), TextSize: 14, Width: 600}
	var got strings.Builder
	for _, l := range b.Break([]richtext.Span{{Text: "data " + word + " end"}}) {
		for _, p := range l.Parts {
			got.WriteString(p.Text)
		}
		if w := l.Parts[len(l.Parts)-1]; w.X+w.W > b.Width {
			t.Errorf("a line is %v wide", w.X+w.W)
		}
	}
	if got.String() != "data "+word+" end" {
		t.Errorf("the lines hold %d bytes of %d", got.Len(), len(word)+9)
	}
	for key := range b.Measure.recent {
		if len(key.word) > longWord {
			t.Errorf("a text of %d bytes is measured", len(key.word))
		}
	}
}
