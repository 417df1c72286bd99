package kit

import (
	"strings"

	"fyne.io/fyne/v2"
)

// maxWords bounds a gauge: it holds at most twice as many words.
const maxWords = 8192

// A WordMeasure knows how wide words are. Fyne shapes a text anew when it has not seen
// it for a minute, which takes a tenth of a millisecond; of the words of a
// language most come again. It belongs to the UI goroutine. A nil gauge measures
// and remembers nothing.
type WordMeasure struct {
	young, old map[wordKey]float32
	rises      map[wordKey]Rise
}

type wordKey struct {
	word  string
	size  float32
	style fyne.TextStyle
}

// A Rise is how high the letters of a size and style are. It is that of the
// style's own typeface also where another one has to help out.
type Rise struct{ Height, Base float32 }

func NewWordMeasure() *WordMeasure {
	return &WordMeasure{young: map[wordKey]float32{}, rises: map[wordKey]Rise{}}
}

// Width is how far text reaches that has no line feed in it.
func (g *WordMeasure) Width(text string, size float32, style fyne.TextStyle) float32 {
	if g == nil {
		box, _ := MeasureText(text, size, style)
		return box.Width
	}
	if style.Monospace && plainLetters(text) {
		return float32(len(text)) * g.word("0", size, style)
	}
	return g.word(text, size, style)
}

func (g *WordMeasure) word(word string, size float32, style fyne.TextStyle) float32 {
	key := wordKey{word, size, style}
	w, ok := g.young[key]
	if ok {
		return w
	}
	if w, ok = g.old[key]; !ok {
		box, _ := MeasureText(word, size, style)
		w = box.Width
	}
	if len(g.young) >= maxWords {
		g.old, g.young = g.young, map[wordKey]float32{}
	}
	key.word = strings.Clone(word) // not the whole answer that it is a part of
	g.young[key] = w
	return w
}

func (g *WordMeasure) Rise(size float32, style fyne.TextStyle) Rise {
	key := wordKey{size: size, style: style}
	if g != nil {
		if r, ok := g.rises[key]; ok {
			return r
		}
	}
	box, base := MeasureText("x", size, style)
	r := Rise{box.Height, base}
	if g != nil {
		g.rises[key] = r
	}
	return r
}

// plainLetters reports whether text is of the letters that the typeface for code
// surely has, all as wide.
func plainLetters(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}
