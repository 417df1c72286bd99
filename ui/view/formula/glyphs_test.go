package formula

import (
	"bytes"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	typeface "github.com/go-text/typesetting/font"

	"goated/assets"
)

// goated's own fonts contain every character that a formula can produce. No character is a box or
// a "�", regardless of the installed fonts.
func TestFontsHaveEveryCharacter(t *testing.T) {
	parse := func(source []byte) *typeface.Face {
		face, err := typeface.ParseTTF(bytes.NewReader(source))
		if err != nil {
			t.Fatal(err)
		}
		return face
	}
	maths := parse(assets.MathRegular)
	styles := map[string][]*typeface.Face{
		"regular": {parse(assets.InterRegular), parse(theme.DefaultTheme().Font(fyne.TextStyle{}).Content()), maths},
		"italic":  {parse(assets.InterItalic), parse(theme.DefaultTheme().Font(fyne.TextStyle{Italic: true}).Content()), maths},
		"bold":    {parse(assets.InterSemiBold), parse(theme.DefaultTheme().Font(fyne.TextStyle{Bold: true}).Content()), maths},
	}
	check := func(name, text string) {
		for style, faces := range styles {
			found := false
			for _, face := range faces {
				all := true
				for _, r := range text {
					_, ok := face.NominalGlyph(r)
					all = all && ok
				}
				found = found || all
			}
			if !found {
				t.Errorf("%s: no %s font has %q", name, style, text)
			}
		}
	}
	for _, table := range []map[string]string{greek, ordinary, binary, relations, opening, closing, large, integrals, negated, styled} {
		for name, text := range table {
			check(name, text)
		}
	}
	for _, r := range raised + lowered + asTheyStand + "−√∛∜⟶⟵ab019.,;" {
		check("a sign", string(r))
	}
	for alphabet := range map[string]bool{"double": true, "script": true, "fraktur": true} {
		for r := 'A'; r <= 'z'; r++ {
			if text, ok := letterOf(alphabet, r); ok {
				check(alphabet, text)
			}
		}
	}
	for name, mark := range accents {
		for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγδεθλμπρστφψω" {
			check(name, string(r)+mark)
		}
	}
}
