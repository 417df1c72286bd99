package kit

import (
	"strings"

	"fyne.io/fyne/v2"
)

// measureTexts bounds a ruler: it remembers at most twice as many texts.
const measureTexts = 2048

// A Measure measures texts of one typeface. Fyne sets up everything anew for each
// text that it has not seen for a minute, which takes a tenth of a millisecond;
// a page of furniture has hundreds of them. It belongs to the UI goroutine.
type Measure struct {
	shaper     shaper
	young, old map[measureKey]float32
	rises      map[measureKey]Rise // of each size and typeface, with no text
}

type measureKey struct {
	text string
	size float32
	face fyne.Resource
}

func NewMeasure() *Measure {
	return &Measure{young: map[measureKey]float32{}, rises: map[measureKey]Rise{}}
}

// MeasureText is how large text is, and how far its baseline is from its top.
func MeasureText(text string, size float32, style fyne.TextStyle) (box fyne.Size, base float32) {
	return measureIn(FaceOf(text, style), text, size, style)
}

// measureIn is measureText where the typeface is known. A nil face leaves it to
// the style.
func measureIn(face fyne.Resource, text string, size float32, style fyne.TextStyle) (box fyne.Size, base float32) {
	if l, ok := fyne.CurrentApp().Settings().Theme().(Theme); ok && l.Measure != nil && face != nil {
		if w, ok := l.Measure.width(face, text, size); ok {
			r := l.Measure.rise(face, size)
			return fyne.NewSize(w, r.Height), r.Base
		}
	}
	return fyne.CurrentApp().Driver().RenderedTextSize(text, size, style, face)
}

// width is how far text reaches; false where it is not of the face alone.
func (r *Measure) width(face fyne.Resource, text string, size float32) (float32, bool) {
	key := measureKey{text, size, face}
	if w, ok := r.young[key]; ok {
		return w, true
	}
	w, ok := r.old[key]
	if !ok {
		if w, ok = r.shaper.width(face, text, size); !ok {
			return 0, false
		}
	}
	if len(r.young) >= measureTexts {
		r.old, r.young = r.young, map[measureKey]float32{}
	}
	key.text = strings.Clone(text) // not the whole answer that it is a part of
	r.young[key] = w
	return w, true
}

// rise is how high the face is, which is the same for all texts.
func (r *Measure) rise(face fyne.Resource, size float32) Rise {
	key := measureKey{size: size, face: face}
	high, ok := r.rises[key]
	if !ok {
		box, base := fyne.CurrentApp().Driver().RenderedTextSize("x", size, fyne.TextStyle{}, face)
		high = Rise{box.Height, base}
		r.rises[key] = high
	}
	return high
}

// MonoAdvance is how wide a character of the verbatim typeface is.
func MonoAdvance(size float32) float32 {
	const n = 40
	box, _ := MeasureText(strings.Repeat("0", n), size, fyne.TextStyle{Monospace: true})
	return box.Width / n
}
