package kit

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
	faces map[fyne.Resource]*font.Face
	parts shaping.Segmenter
	buzz  shaping.HarfbuzzShaper
}

// width is how wide text is in a typeface that covers it; false if that can't be
// said.
func (s *shaper) width(source fyne.Resource, text string, size float32) (float32, bool) {
	face := s.face(source)
	if face == nil {
		return 0, false
	}
	runes := []rune(text)
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

// face is a typeface, or nil.
func (s *shaper) face(source fyne.Resource) *font.Face {
	face, ok := s.faces[source]
	if !ok {
		if s.faces == nil {
			s.faces = map[fyne.Resource]*font.Face{}
			s.buzz.SetFontCacheSize(16) // without it each call reads the tables again
		}
		face, _ = font.ParseTTF(bytes.NewReader(source.Content())) // nil: Fyne shall say what is wrong
		s.faces[source] = face
	}
	return face
}

// only is a map of fonts with one font.
type only struct{ face *font.Face }

func (o only) ResolveFace(rune) *font.Face { return o.face }
