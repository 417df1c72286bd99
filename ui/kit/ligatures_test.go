package kit

import (
	"bytes"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	points "golang.org/x/image/math/fixed"
)

// Code is drawn without ligatures: JetBrains Mono would replace "->" and "!=" by single signs.
func TestCodeHasNoLigatures(t *testing.T) {
	for _, style := range []fyne.TextStyle{{Monospace: true}, {Monospace: true, Bold: true}} {
		face, err := font.ParseTTF(bytes.NewReader(FaceOf("x", style).Content()))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"->", "!=", "=>", "www", "//", "===", "<!--"} {
			runes := []rune(text)
			out := new(shaping.HarfbuzzShaper).Shape(shaping.Input{Text: runes, RunEnd: len(runes), Face: face, Size: points.I(14)})
			for i, g := range out.Glyphs {
				if want, _ := face.NominalGlyph(runes[i]); g.GlyphID != want {
					t.Errorf("%q is drawn with another sign for %q", text, runes[i])
				}
			}
		}
	}
}
