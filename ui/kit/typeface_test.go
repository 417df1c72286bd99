package kit

import (
	"bytes"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-text/typesetting/font"
)

// Each typeface contains all covered letters. Fyne would draw a box for a missing letter, because
// FaceOf disables fallback fonts.
func TestTypefacesContainCoveredRanges(t *testing.T) {
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}, {Monospace: true}, {Monospace: true, Bold: true}} {
		source := FaceOf("x", style)
		face, err := font.ParseTTF(bytes.NewReader(source.Content()))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range covered {
			for r := c[0]; r <= c[1]; r++ {
				if _, ok := face.NominalGlyph(r); !ok {
					t.Errorf("%s has no %q", source.Name(), r)
				}
			}
		}
	}
	for i, c := range covered {
		if c[0] > c[1] || i > 0 && c[0] <= covered[i-1][1] {
			t.Errorf("range %X is empty or out of order", c)
		}
	}
}

// FaceOf returns nil for text outside the covered ranges. Covered text has the
// same size with and without fallback fonts.
func TestFaceOfCoveredAndOtherText(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	for _, text := range []string{"日本語", "a 🙂", "tab\there", "العربية", "\u0301", "x\U00010000"} {
		if FaceOf(text, fyne.TextStyle{}) != nil {
			t.Errorf("FaceOf(%q) is not nil", text)
		}
	}
	if FaceOf("x", fyne.TextStyle{Symbol: true}) != nil {
		t.Error("FaceOf with the symbol style is not nil")
	}
	for _, text := range []string{"", "Connect tool", "fi 3/4 -> 1⁄2…", "Žluťoučký kůň", "Привет, «мир»", "Γειά σου", "Tiếng Việt", "“5 ≤ 6” — 7 € →"} {
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Monospace: true}} {
			got, base := MeasureText(text, 14, style)
			want, wantBase := fyne.CurrentApp().Driver().RenderedTextSize(text, 14, style, nil)
			if got != want || base != wantBase {
				t.Errorf("%q in %+v is %v, %v; want %v, %v", text, style, got, base, want, wantBase)
			}
		}
	}
}
