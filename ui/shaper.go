package ui

import (
	"bytes"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	points "golang.org/x/image/math/fixed"
)

// A shaper measures words in the window's own typefaces as Fyne does, and ten
// times as fast: Fyne sets up everything anew for each word that it has not
// seen, and a page that is scrolled to has hundreds of them. What the typefaces
// don't have is left to Fyne, which knows where to find it.
type shaper struct {
	faces map[fyne.TextStyle]*font.Face
	parts shaping.Segmenter
	buzz  shaping.HarfbuzzShaper
}

// width is how wide text is; false if it has letters of other typefaces in it.
func (s *shaper) width(text string, size float32, style fyne.TextStyle) (float32, bool) {
	face := s.face(style)
	if face == nil {
		return 0, false
	}
	runes := []rune(text)
	for _, r := range runes {
		if _, ok := face.NominalGlyph(r); !ok || r < ' ' || r >= 0x250 && (r < 0x2010 || r > 0x2027) {
			return 0, false
		}
	}
	in := shaping.Input{Text: runes, RunEnd: len(runes), Direction: di.DirectionLTR, Face: face, Size: points.Int26_6(size * 64)}
	wide := float32(0)
	for _, part := range s.parts.Split(in, only{face}) {
		advance := points.Int26_6(0)
		for _, g := range s.buzz.Shape(part).Glyphs {
			if g.GlyphID == 0 {
				return 0, false
			}
			advance += g.XAdvance
		}
		wide += float32(float64(advance) / 64)
	}
	return wide, true
}

// face is the typeface of a style, or nil.
func (s *shaper) face(style fyne.TextStyle) *font.Face {
	face, ok := s.faces[style]
	if !ok {
		if s.faces == nil {
			s.faces = map[fyne.TextStyle]*font.Face{}
			s.buzz.SetFontCacheSize(16) // without it each call reads the tables again
		}
		face, _ = font.ParseTTF(bytes.NewReader(look{}.Font(style).Content())) // nil: Fyne shall say what is wrong
		s.faces[style] = face
	}
	return face
}

// only is a map of fonts with one font.
type only struct{ face *font.Face }

func (o only) ResolveFace(rune) *font.Face { return o.face }
