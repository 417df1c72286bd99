package kit

import (
	"bytes"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-text/typesetting/font"
)

// A letter that a typeface does not have would be shown as a box where Fyne may
// not look elsewhere.
func TestTypefacesHaveWhatTheyCover(t *testing.T) {
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
			t.Errorf("%X is not in order", c)
		}
	}
}

// What is not covered is left to Fyne, which finds it elsewhere; what is covered
// is as large in the one typeface as where others could help out.
func TestTypefaceOfAText(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	for _, text := range []string{"日本語", "a 🙂", "tab\there", "العربية", "\u0301", "x\U00010000"} {
		if FaceOf(text, fyne.TextStyle{}) != nil {
			t.Errorf("%q is said to be covered", text)
		}
	}
	if FaceOf("x", fyne.TextStyle{Symbol: true}) != nil {
		t.Error("symbols have a typeface of Fyne's")
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
