package kit

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/typeset"
)

// measureTexts limits a Measure, which caches at most twice as many texts.
const measureTexts = 2048

// A Measure measures texts of one typeface and caches the results. Fyne drops its own results
// after a minute, and needs a tenth of a millisecond to measure a text again. A page has hundreds
// of texts. A Measure belongs to the UI goroutine.
type Measure struct {
	Setter    typeset.Setter // for text that the typefaces do not cover
	*measured                // the windows of a test share it
}

// measured holds the cached results of a Measure.
type measured struct {
	widths        typeset.Widths
	recent, older map[measureKey]float32
	rises         map[measureKey]Rise // the keys have a size and a typeface, and no text
}

type measureKey struct {
	text string
	size float32
	face fyne.Resource
}

func NewMeasure() *Measure {
	return &Measure{measured: &measured{recent: map[measureKey]float32{}, rises: map[measureKey]Rise{}}}
}

// Share makes r and other use the same cached widths. Each keeps its own Setter.
func (r *Measure) Share(other *Measure) { r.measured = other.measured }

// MeasureText returns the size of text, and the distance of its baseline from the top.
func MeasureText(text string, size float32, style fyne.TextStyle) (box fyne.Size, base float32) {
	return measureIn(FaceOf(text, style), text, size, style)
}

// measureIn is MeasureText for a given typeface. If face is nil, Fyne chooses one by the style.
func measureIn(face fyne.Resource, text string, size float32, style fyne.TextStyle) (box fyne.Size, base float32) {
	if face == nil {
		if t := Shape(text, size, style, -1); t != nil {
			box, base = MeasureText("x", size, style)
			return fyne.NewSize(t.Width, box.Height), base
		}
	}
	if l, ok := fyne.CurrentApp().Settings().Theme().(Theme); ok && l.Measure != nil && face != nil {
		if w, ok := l.Measure.width(face, text, size); ok {
			r := l.Measure.rise(face, size)
			return fyne.NewSize(w, r.Height), r.Base
		}
	}
	return fyne.CurrentApp().Driver().RenderedTextSize(text, size, style, face)
}

// width returns the width of text, or false if the face does not cover the text.
func (r *measured) width(face fyne.Resource, text string, size float32) (float32, bool) {
	key := measureKey{text, size, face}
	if w, ok := r.recent[key]; ok {
		return w, true
	}
	w, ok := r.older[key]
	if !ok {
		if w, ok = r.widths.Width(face, text, size); !ok {
			return 0, false
		}
	}
	if len(r.recent) >= measureTexts {
		r.older, r.recent = r.recent, map[measureKey]float32{}
	}
	key.text = strings.Clone(text) // a clone, so that the cache does not keep the whole answer in memory
	r.recent[key] = w
	return w, true
}

// rise returns the line height of the face, which is the same for all texts.
func (r *measured) rise(face fyne.Resource, size float32) Rise {
	key := measureKey{size: size, face: face}
	high, ok := r.rises[key]
	if !ok {
		box, base := fyne.CurrentApp().Driver().RenderedTextSize("x", size, fyne.TextStyle{}, face)
		high = Rise{box.Height, base}
		r.rises[key] = high
	}
	return high
}

// MonoAdvance returns the width of a character of the monospaced typeface.
func MonoAdvance(size float32) float32 {
	const n = 40
	box, _ := MeasureText(strings.Repeat("0", n), size, fyne.TextStyle{Monospace: true})
	return box.Width / n
}
