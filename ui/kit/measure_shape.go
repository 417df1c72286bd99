package kit

import (
	"bytes"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	points "golang.org/x/image/math/fixed"

	"goated/ui/typeset"
)

// A shaper measures words in the window's own typefaces. Its results equal Fyne's,
// ten times as fast: Fyne sets up its shaper for each new word, and a page has
// hundreds of them. Fyne measures text that the typefaces do not cover, because it
// knows fallback fonts.
type shaper struct {
	faces    map[fyne.Resource]*font.Face
	parts    shaping.Segmenter
	harfbuzz shaping.HarfbuzzShaper
}

// width returns the width of text. It returns false if the typeface does not cover
// the text or cannot be parsed.
func (s *shaper) width(source fyne.Resource, text string, size float32) (float32, bool) {
	face := s.face(source)
	if face == nil {
		return 0, false
	}
	runes := []rune(text)
	in := shaping.Input{Text: runes, RunEnd: len(runes), Direction: di.DirectionLTR, Face: face, Size: points.Int26_6(size * 64)}
	wide := float32(0)
	for _, part := range s.parts.Split(in, singleFont{face}) {
		advance := points.Int26_6(0)
		for _, g := range s.harfbuzz.Shape(part).Glyphs {
			if g.GlyphID == 0 {
				return 0, false
			}
			advance += g.XAdvance
		}
		wide += float32(float64(advance) / 64)
	}
	return wide, true
}

// face returns the parsed typeface, or nil if it cannot be parsed.
func (s *shaper) face(source fyne.Resource) *font.Face {
	face, ok := s.faces[source]
	if !ok {
		if s.faces == nil {
			s.faces = map[fyne.Resource]*font.Face{}
			s.harfbuzz.SetFontCacheSize(16) // without a cache each call parses the tables
		}
		face, _ = font.ParseTTF(bytes.NewReader(source.Content())) // nil on error: Fyne reports the fault
		s.faces[source] = face
	}
	return face
}

// singleFont is a shaping.Fontmap with one font.
type singleFont struct{ face *font.Face }

func (o singleFont) ResolveFace(rune) *font.Face { return o.face }

// Shape returns a text that the window's typefaces do not cover, in the fonts that
// have it; nil for any other text, which Fyne draws, and without goated's theme. A
// negative level: text is a paragraph of its own.
func Shape(text string, size float32, style fyne.TextStyle, level int) *typeset.Text {
	if text == "" || style.Symbol || (level < 0 || level%2 == 0) && FaceOf(text, style) != nil {
		return nil
	}
	l, ok := fyne.CurrentApp().Settings().Theme().(Theme)
	if !ok || l.Measure == nil {
		return nil
	}
	if level < 0 {
		return l.Measure.Setter.Line(Theme{}.Font(style), text, size, style)
	}
	return l.Measure.Setter.Run(Theme{}.Font(style), text, size, style, uint8(level))
}

// Shaped returns the fragment as it is drawn, if the window's typefaces do not cover
// it or it runs from right to left; otherwise nil.
func (f Fragment) Shaped(size float32) *typeset.Text {
	if f.Level == 0 && typeset.IsPlain(f.Text) {
		return nil
	}
	return Shape(Shown(f.Text), RunSize(size, f.Code), f.Font, int(f.Level))
}
