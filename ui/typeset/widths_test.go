package typeset

import (
	"reflect"
	"testing"
	"unicode"

	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/shaping"
	"pgregory.net/rapid"
)

// Measuring printable ASCII without splitting it gives the same result.
func TestPlainTextHasOnePart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom(nil, &unicode.RangeTable{R16: []unicode.Range16{{Lo: ' ', Hi: '~', Stride: 1}}}), 1, 20, -1).Draw(t, "text")
		var w Widths
		face := w.face(theme.DefaultTextFont())
		runes := []rune(text)
		in := shaping.Input{Text: runes, RunEnd: len(runes), Direction: di.DirectionLTR, Face: face, Size: 14 * 64}
		if got, want := w.parts(text, in), w.split.Split(in, singleFont{face}); !reflect.DeepEqual(got, want) {
			t.Errorf("the parts of %q are %+v, want %+v", text, got, want)
		}
	})
}
