package kit

import (
	"math"
	"reflect"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"goated/ui/richtext"
	"goated/ui/typeset"
)

func lines(t *testing.T, width float32, spans ...richtext.Span) []Line {
	t.Helper()
	b := LineBreaker{Measure: NewWordMeasure(), TextSize: 14, Width: width}
	return b.Break(spans)
}

// drawnOrder returns the texts of the parts of a line in visual order, from the left.
func drawnOrder(l Line) (all []string) {
	at := float32(-1)
	for range l.Parts {
		next := -1
		for i, f := range l.Parts {
			if f.X > at && (next < 0 || f.X < l.Parts[next].X) {
				next = i
			}
		}
		all = append(all, l.Parts[next].Text)
		at = l.Parts[next].X
	}
	return all
}

// Runs of both directions appear in the order of the paragraph. A paragraph that begins with a
// right-to-left letter is aligned right.
func TestLinesOfBothDirections(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	l := lines(t, 1000, richtext.Span{Text: "one אבג, "}, richtext.Span{Text: "דהו", Bold: true}, richtext.Span{Text: " two"})[0]
	if got := drawnOrder(l); len(got) != 4 || got[0] != "one " || got[1] != "דהו" || got[2] != "אבג, " || got[3] != " two" || l.RTL {
		t.Errorf("the line is %q, from right to left: %v", got, l.RTL)
	}
	all := lines(t, 1000, richtext.Span{Text: "אב one\none אב"})
	if len(all) != 2 || !all[0].RTL || all[1].RTL {
		t.Errorf("%d lines, %v and %v", len(all), all[0].RTL, all[len(all)-1].RTL)
	}
	if plain := lines(t, 1000, richtext.Span{Text: "one two 日本語"})[0]; !plain.Ordered() || len(plain.Parts) != 1 {
		t.Errorf("a line from left to right has %d parts", len(plain.Parts))
	}
}

// For streaming text, only the last lines are laid out again. The result equals the layout of the
// whole text, no matter where the first right-to-left letter is.
func TestGrowingTextOfBothDirections(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	measure := NewWordMeasure()
	for _, text := range []string{
		"אבג דהו 12 34 56 78 90 12 34 56 78 90 12 34 56",
		"one two three four five six seven אבג דהו 12 34 56 78 90 12 34 56",
		"one two three four five\nsix seven eight nine אבג\n12 34 56 78 90\nten eleven",
		"one two three four five six seven eight nine",
	} {
		for _, code := range []bool{false, true} {
			breaker := func() *LineBreaker {
				return &LineBreaker{Measure: measure, TextSize: 14, Width: 80, Style: fyne.TextStyle{Monospace: code}}
			}
			var grown []Line
			for at := range text {
				spans := []richtext.Span{{Text: text[:at]}}
				whole := breaker().Break(spans)
				if n := len(grown) - 2; n > 0 {
					grown = append(grown[:n:n], breaker().Resume(spans, grown[n])...)
				} else {
					grown = whole
				}
				if !reflect.DeepEqual(grown, whole) {
					t.Fatalf("code: %v, %q has the lines\n%+v and in one piece\n%+v", code, text[:at], grown, whole)
				}
			}
			if len(grown) < 4 {
				t.Errorf("%q has %d lines", text, len(grown))
			}
		}
	}
}

// The position of each character maps back to the character, so that the highlighted text is the
// copied text.
func TestPlacesOfCharactersLeadBack(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	for _, text := range []string{"one אבג 12 two", "אבג (one) דהו", "e\u0301 👍🏽 x 日本", "plain text", "كلمة one"} {
		l := lines(t, 1000, richtext.Span{Text: text})[0]
		for _, f := range l.Parts {
			for n := range f.N {
				a, b := f.X+f.Advance(nil, 14, n), f.X+f.Advance(nil, 14, n+1)
				if a == b {
					continue // within one grapheme
				}
				got := l.Index(nil, 14, a+(b-a)*0.25)
				// Between two directions, or at an accent, two boundaries share one position.
				back := false
				for _, g := range l.Parts {
					if d := got - g.At; d >= 0 && d <= g.N && math.Abs(float64(g.X+g.Advance(nil, 14, d)-a)) < 0.6 {
						back = true
					}
				}
				if !back {
					t.Errorf("%q: character %d of %q leads to %d", text, n, f.Text, got)
				}
			}
		}
	}
}

// A word that is too wide breaks between graphemes.
func TestBrokenWordsKeepCharactersWhole(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	for _, l := range lines(t, 30, richtext.Span{Text: "👍🏽👍🏽👍🏽👍🏽e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301"}) {
		for _, f := range l.Parts {
			if r := []rune(f.Text)[0]; typeset.Joins(r) {
				t.Errorf("a line begins with %U", r)
			}
		}
	}
}

// Texts begin on whole pixels, because Fyne blurs a text that begins between two pixels.
func TestTextsBeginOnWholePixels(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	p := NewSpans([]richtext.Span{{Text: "Some "}, {Text: "bold", Bold: true}, {Text: " and "}, {Text: "code", Code: true}, {Text: " words"}}, 13, 21, ColorText)
	l := NewLabel("A label in the middle", 12, ColorText)
	l.Centre = true
	w := test.NewTempWindow(t, NewPanel(ColorNone, ColorNone, 0))
	for _, o := range []fyne.CanvasObject{p, l} {
		w.SetContent(o)
		w.Resize(fyne.NewSize(301, 67))
		n := 0
		for _, part := range test.WidgetRenderer(o.(fyne.Widget)).Objects() {
			if text, ok := part.(*canvas.Text); ok && text.Visible() {
				n++
				if at := text.Position(); at.X != float32(int(at.X)) || at.Y != float32(int(at.Y)) {
					t.Errorf("%q begins at %v", text.Text, at)
				}
			}
		}
		if n == 0 {
			t.Errorf("%T draws no text", o)
		}
	}
}

// Code that mixes directions stays within its column and has one background per line. Each change
// of direction added padding that no line break counted. At 640 × 480, the text ran beyond the
// edge of the window.
func TestCodeInBothDirectionsFits(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(Theme{Measure: NewMeasure()})
	const blank = 8 // a blank at the end of a line may overhang
	const code = `{"output":"0: lorem ipsum مرحبا 🙂 lorem ipsum مرحبا 🙂 lorem ipsum مرحبا 🙂 lorem ipsum مرحبا 🙂"}`
	for _, spans := range [][]richtext.Span{
		{{Text: code, Code: true}},
		{{Text: "It answered "}, {Text: code, Code: true}, {Text: " and ended."}},
		{{Text: "مرحبا "}, {Text: code, Code: true}, {Text: " مرحبا"}},
	} {
		for width := float32(120); width < 700; width += 35 {
			b := LineBreaker{Measure: NewWordMeasure(), TextSize: 14, Width: width}
			for i, l := range b.Break(spans) {
				chips := l.Chips()
				if len(chips) > 1 && !l.RTL {
					t.Errorf("%g wide: line %d has %d backgrounds: %+v", width, i, len(chips), chips)
				}
				for _, c := range chips {
					if c.X < 0 || c.X+c.W > width+2*ChipPad+blank {
						t.Errorf("%g wide: a background of line %d reaches from %g to %g", width, i, c.X, c.X+c.W)
					}
				}
			}
		}
	}
}
