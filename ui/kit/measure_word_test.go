package kit

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// A WordMeasure returns the widths that Fyne draws, for text that the typefaces cover.
func TestWordMeasureAgreesWithFyne(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	words := strings.Fields("Some words, of AVATAR To. \"quoted\" 12.50 € naïve Straße fi ffl -> != := => it's “so” … – ümläut x_y(z) https://example.org/a?b=c")
	g := NewWordMeasure()
	for range 2 { // the second pass reads the cache
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Monospace: true}, {Monospace: true, Bold: true}} {
			for _, size := range []float32{11, 13, 14, 19} {
				for _, w := range append(words, " ", "") {
					want := fyne.MeasureText(w, size, style).Width
					if got := g.Width(w, size, style); got-want > 0.02 || want-got > 0.02 {
						t.Errorf("Width(%q, %v, %+v) = %v, want %v", w, size, style, got, want)
					}
				}
			}
		}
	}
}

func TestWordMeasureBoundsItsCache(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	g := NewWordMeasure()
	for i := range 3 * maxWords {
		g.Width(fmt.Sprint("w", i), 14, fyne.TextStyle{})
	}
	if n := len(g.recent) + len(g.older); n > 2*maxWords {
		t.Errorf("the cache holds %d words, want at most 2*maxWords", n)
	}
}

func BenchmarkWordMeasureNewWord(b *testing.B) {
	test.NewTempApp(b).Settings().SetTheme(Theme{Measure: NewMeasure()})
	g := NewWordMeasure()
	for i := range b.N {
		g.Width(fmt.Sprint("word", i), 14, fyne.TextStyle{})
	}
}
