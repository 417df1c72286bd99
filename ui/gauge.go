package ui

import (
	"strings"

	"fyne.io/fyne/v2"
)

// gaugeWords bounds a gauge: it holds at most twice as many words.
const gaugeWords = 8192

// A gauge knows how wide words are. Fyne shapes a text anew when it has not seen
// it for a minute, which takes a tenth of a millisecond; of the words of a
// language most come again. It belongs to the UI goroutine. A nil gauge measures
// and remembers nothing.
type gauge struct {
	young, old map[gaugeKey]float32
	rises      map[gaugeKey]rise
}

type gaugeKey struct {
	word  string
	size  float32
	style fyne.TextStyle
}

// A rise is how high the letters of a size and style are. It is that of the
// style's own typeface also where another one has to help out.
type rise struct{ height, base float32 }

func newGauge() *gauge {
	return &gauge{young: map[gaugeKey]float32{}, rises: map[gaugeKey]rise{}}
}

// width is how far text reaches that has no line feed in it.
func (g *gauge) width(text string, size float32, style fyne.TextStyle) float32 {
	if g == nil {
		box, _ := measureText(text, size, style)
		return box.Width
	}
	if style.Monospace && plainLetters(text) {
		return float32(len(text)) * g.word("0", size, style)
	}
	return g.word(text, size, style)
}

func (g *gauge) word(word string, size float32, style fyne.TextStyle) float32 {
	key := gaugeKey{word, size, style}
	w, ok := g.young[key]
	if ok {
		return w
	}
	if w, ok = g.old[key]; !ok {
		box, _ := measureText(word, size, style)
		w = box.Width
	}
	if len(g.young) >= gaugeWords {
		g.old, g.young = g.young, map[gaugeKey]float32{}
	}
	key.word = strings.Clone(word) // not the whole answer that it is a part of
	g.young[key] = w
	return w
}

func (g *gauge) rise(size float32, style fyne.TextStyle) rise {
	key := gaugeKey{size: size, style: style}
	if g != nil {
		if r, ok := g.rises[key]; ok {
			return r
		}
	}
	box, base := measureText("x", size, style)
	r := rise{box.Height, base}
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
