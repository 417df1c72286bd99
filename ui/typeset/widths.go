package typeset

import (
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// A Widths measures words in the window's own typefaces. Its results equal Fyne's, but it is ten
// times as fast: Fyne sets up its shaper for each new word, and a page has hundreds of them. Text
// that the typefaces do not cover must be measured by Fyne, which supports fallback fonts. The
// zero value is ready to use, by one goroutine at a time.
type Widths struct {
	faces    faces
	split    shaping.Segmenter
	runes    []rune // the runes of the text, kept to reuse the memory
	whole    [1]shaping.Input
	harfbuzz shaping.HarfbuzzShaper
}

// Width returns the width of text, or false if the typeface does not cover the text or cannot be
// parsed.
func (w *Widths) Width(source fyne.Resource, text string, size float32) (float32, bool) {
	face := w.face(source)
	if face == nil {
		return 0, false
	}
	w.runes = w.runes[:0]
	for _, r := range text {
		w.runes = append(w.runes, r)
	}
	in := shaping.Input{Text: w.runes, RunEnd: len(w.runes), Direction: di.DirectionLTR, Face: face, Size: fixed.Int26_6(size * 64)}
	wide := float32(0)
	for _, part := range w.parts(text, in) {
		advance := fixed.Int26_6(0)
		for _, g := range w.harfbuzz.Shape(part).Glyphs {
			if g.GlyphID == 0 {
				return 0, false
			}
			advance += g.XAdvance
		}
		wide += float32(float64(advance) / 64)
	}
	return wide, true
}

// parts splits text where its direction or script changes. Printable ASCII has only one direction
// and only the Latin script. Most words are ASCII, and splitting them caused half of the
// allocations.
func (w *Widths) parts(text string, in shaping.Input) []shaping.Input {
	if !IsPlain(text) {
		return w.split.Split(in, singleFont{in.Face})
	}
	in.Script = language.Common
	if strings.ContainsFunc(text, unicode.IsLetter) {
		in.Script = language.Latin
	}
	w.whole[0] = in
	return w.whole[:]
}

// face returns the parsed typeface, or nil if it cannot be parsed.
func (w *Widths) face(source fyne.Resource) *font.Face {
	if w.faces == nil {
		w.faces = make(faces)
		w.harfbuzz.SetFontCacheSize(16) // without a cache, each call parses the tables
	}
	return w.faces.parse(source)
}

// singleFont is a shaping.Fontmap with one font.
type singleFont struct{ face *font.Face }

func (o singleFont) ResolveFace(rune) *font.Face { return o.face }
