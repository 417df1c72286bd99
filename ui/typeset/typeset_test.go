package typeset

import (
	"image"
	"image/color"
	"slices"
	"strconv"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

func line(s *Setter, text string) *Text {
	return s.Line(theme.DefaultTextFont(), text, 14, fyne.TextStyle{})
}

// An emoji of several parts is one sign with one caret position. Previously, each part was drawn
// separately.
func TestEmojiSequencesAreOneSign(t *testing.T) {
	var s Setter
	for _, text := range []string{"👍🏽", "❤️", "👨‍👩‍👧", "🇩🇪", "1️⃣"} {
		got := line(&s, text)
		n := 0
		for _, r := range got.runs {
			for _, g := range r.out.Glyphs {
				if g.XAdvance > 0 {
					n++
				}
			}
		}
		if n != 1 || len(got.boxes) > 0 || got.Index(1) != 0 || got.Index(got.Width) != len([]rune(text)) {
			t.Errorf("%s has %d signs, %d boxes, and the carets %v", text, n, len(got.boxes), got.carets)
		}
	}
}

// A letter with a combining accent is one letter.
func TestCombiningMarksHaveNoCaret(t *testing.T) {
	var s Setter
	got := line(&s, "e\u0301x")
	if len(got.boxes) > 0 || got.Caret(1) != 0 || got.Caret(2) <= 0 || got.Index(got.Caret(2)) != 2 {
		t.Errorf("the carets are %v", got.carets)
	}
	if c := Clusters("e\u0301👩‍💻x"); !slices.Equal(c, []string{"e\u0301", "👩‍💻", "x"}) {
		t.Errorf("the clusters are %q", c)
	}
}

// A character that no font has is drawn as a separate box, and is reported once per script.
// Previously, boxes overlapped and were labelled "�".
func TestMissingFontIsABoxAndReportedOnce(t *testing.T) {
	var told []string
	s := Setter{Missing: func(script string) { told = append(told, script) }}
	const none = "\U000100C0\U000100C1" // unassigned code points after Linear B, which no font has
	got := line(&s, none+" x")
	line(&s, none)
	if len(got.boxes) != 2 || got.Caret(1) <= 0 || got.Caret(2) <= got.Caret(1) {
		t.Errorf("%d boxes, carets %v", len(got.boxes), got.carets)
	}
	if len(told) != 1 {
		t.Errorf("reported: %q", told)
	}
	began := time.Now()
	for r := range rune(3000) {
		line(&s, string(0x100C0+r%0x40)+string(0x4E00+r))
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("3000 characters that no font has take %v", d)
	}
	img := image.NewNRGBA(image.Rect(0, 0, 60, 30))
	got.Draw(img, 2, 20, 1, color.Black)
	if !slices.ContainsFunc(img.Pix, func(b byte) bool { return b > 0 }) {
		t.Error("nothing is drawn")
	}
}

// In a right-to-left text, the first character is at the right, but a number within it runs from
// left to right.
func TestCaretsOfBothDirections(t *testing.T) {
	var s Setter
	got := line(&s, "אב 12")
	if !got.RTL {
		t.Error("it does not run from right to left")
	}
	// From the left: 1 2, blank, ב, א.
	for _, pair := range [][2]int{{3, 4}, {4, 1}, {1, 0}} {
		if got.Caret(pair[0]) >= got.Caret(pair[1]) {
			t.Errorf("character %d stands at %v, and %d at %v", pair[0], got.Caret(pair[0]), pair[1], got.Caret(pair[1]))
		}
	}
	if got.Index(got.Width) != 0 || got.Caret(5) != 0 {
		t.Errorf("the ends are %d and %v", got.Index(got.Width), got.Caret(5))
	}
}

// A text is not cut off: its height is that of its tallest font.
func TestHeightIsThatOfTheTallestFont(t *testing.T) {
	var s Setter
	plain, mixed := line(&s, "x"), line(&s, "x 😀")
	if mixed.Ascent+mixed.Descent < plain.Ascent+plain.Descent || plain.Descent <= 0 {
		t.Errorf("plain %v+%v, mixed %v+%v", plain.Ascent, plain.Descent, mixed.Ascent, mixed.Descent)
	}
}

// The size of the cache is limited, and entries that are in use stay.
func TestCacheIsBounded(t *testing.T) {
	var s Setter
	first := line(&s, "first")
	for i := range 3 * cached {
		line(&s, strconv.Itoa(i))
		if line(&s, "first") != first {
			t.Fatal("a text in use is shaped again")
		}
	}
	if n := len(s.recent) + len(s.older); n > 2*cached+2 {
		t.Errorf("the cache holds %d texts", n)
	}
}
