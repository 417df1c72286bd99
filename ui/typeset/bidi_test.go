package typeset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/text/unicode/bidi"
)

// drawn returns the characters of a paragraph in visual order, from the left.
func drawn(text string) string {
	runes := []rune(text)
	levels, _ := Levels(runes, Auto)
	out := make([]rune, 0, len(runes))
	for _, i := range Visual(levels) {
		out = append(out, runes[i])
	}
	return string(out)
}

// Letters of both directions have the order of Unicode Annex 9. Previously, runs stayed in source
// order, so that Arabic appeared before Hebrew.
func TestOrderOfBothDirections(t *testing.T) {
	for text, want := range map[string]string{
		"Math: ∑":             "Math: ∑",
		"one אבג two":         "one גבא two",
		"one אבג, דהו two":    "one והד ,גבא two",
		"one אב 123 גד two":   "one דג 123 בא two",
		"אבג one דהו":         "והד one גבא",
		"אב (one) גד":         "דג (one) בא",
		"one (אב) two":        "one (בא) two",
		"price ₪100 אב 1,234": "price ₪100 1,234 בא",
		"مرحبا אב":            "בא ابحرم",
		"":                    "",
	} {
		// Brackets are mirrored when they are drawn, not here.
		if got := drawn(text); got != want && got != mirrored(want) {
			t.Errorf("%q is drawn as %q, not %q", text, got, want)
		}
	}
}

func mirrored(s string) string {
	out := []rune(s)
	for i, r := range out {
		switch r {
		case '(':
			out[i] = ')'
		case ')':
			out[i] = '('
		}
	}
	return string(out)
}

// The direction of each character equals that of golang.org/x/text, which provides no levels.
func TestDirectionsAgreeWithTheLibrary(t *testing.T) {
	letters := []rune("abzאבגمرحب0123456789٣٤ ,.:-+%$\u0301!?€中😀")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]rune, 1+rng.IntN(24))
		for i := range text {
			text[i] = letters[rng.IntN(len(letters))]
		}
		var p bidi.Paragraph
		if _, err := p.SetString(string(text)); err != nil {
			t.Fatal(err)
		}
		order, err := p.Order()
		if err != nil {
			t.Fatal(err)
		}
		levels, _ := Levels(text, Auto)
		want := make([]bool, len(text))
		for i := range order.NumRuns() {
			run := order.Run(i)
			from, to := run.Pos()
			for k := from; k <= to && k < len(want); k++ {
				want[k] = run.Direction() == bidi.RightToLeft
			}
		}
		got := make([]bool, len(text))
		for i, l := range levels {
			got[i] = l%2 == 1
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q: %v, the library says %v (levels %v)", string(text), got, want, levels)
		}
	}
}

func TestHasRTL(t *testing.T) {
	for text, want := range map[string]bool{"": false, "plain": false, "naïve – “x”": false, "日本語 🙂": false, "א": true, "x مرحبا": true, "ﷺ": true, "中文 אב": true} {
		if HasRTL(text) != want {
			t.Errorf("HasRTL(%q) is %v", text, !want)
		}
	}
}
