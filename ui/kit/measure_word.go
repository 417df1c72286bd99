package kit

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/typeset"
)

// maxWords limits a WordMeasure, which caches at most twice as many words.
const maxWords = 8192

// A WordMeasure measures words and caches their widths, because most words repeat.
// Fyne drops its own results after a minute, and needs a tenth of a millisecond to
// measure a word again. A WordMeasure belongs to the UI goroutine. A nil
// WordMeasure measures without a cache.
type WordMeasure struct {
	recent, older map[wordKey]float32
	rises         map[wordKey]Rise
}

type wordKey struct {
	word  string
	size  float32
	style fyne.TextStyle
}

// A Rise holds the line height of a size and style, and the distance of the baseline from the
// top. Both come from the style's own typeface, even for text in a fallback font.
type Rise struct{ Height, Base float32 }

func NewWordMeasure() *WordMeasure {
	return &WordMeasure{recent: map[wordKey]float32{}, rises: map[wordKey]Rise{}}
}

// Width returns the width of text, which must not contain a line feed.
func (m *WordMeasure) Width(text string, size float32, style fyne.TextStyle) float32 {
	if m == nil {
		box, _ := MeasureText(text, size, style)
		return box.Width
	}
	if style.Monospace && typeset.IsPlain(text) {
		return float32(len(text)) * m.word("0", size, style)
	}
	return m.word(text, size, style)
}

func (m *WordMeasure) word(word string, size float32, style fyne.TextStyle) float32 {
	key := wordKey{word, size, style}
	w, ok := m.recent[key]
	if ok {
		return w
	}
	if w, ok = m.older[key]; !ok {
		box, _ := MeasureText(word, size, style)
		w = box.Width
	}
	if len(m.recent) >= maxWords {
		m.older, m.recent = m.recent, map[wordKey]float32{}
	}
	key.word = strings.Clone(word) // a clone, so that the cache does not keep the whole answer in memory
	m.recent[key] = w
	return w
}

func (m *WordMeasure) Rise(size float32, style fyne.TextStyle) Rise {
	key := wordKey{size: size, style: style}
	if m != nil {
		if r, ok := m.rises[key]; ok {
			return r
		}
	}
	box, base := MeasureText("x", size, style)
	r := Rise{box.Height, base}
	if m != nil {
		m.rises[key] = r
	}
	return r
}
