package kit

import (
	"image"
	"image/color"
	"testing"

	"fyne.io/fyne/v2/test"
)

// The cache renders an icon once per size in pixels, regardless of the number of widgets and
// colours.
func TestIconIsRenderedOnce(t *testing.T) {
	l := Theme{Icons: NewIconCache()}
	test.NewTempApp(t).Settings().SetTheme(l)
	for _, name := range []string{"plus", "plus", "alert"} {
		NewIcon(name, 16, ColorText).draw(16, 16)
		NewIcon(name, 16, ColorBad).draw(16, 16)
	}
	if n := len(l.Icons.drawn); n != 2 {
		t.Errorf("%d cached renderings of two icons", n)
	}
}

// A rendered icon has the theme's colour where it is solid, and is transparent
// elsewhere.
func TestIconHasThemeColour(t *testing.T) {
	dark := false
	test.NewTempApp(t).Settings().SetTheme(Theme{Dark: &dark, Icons: NewIconCache()})
	img := NewIcon("plus", 24, ColorBad).draw(48, 48).(*image.RGBA)
	want := color.RGBAModel.Convert(Theme{Dark: &dark}.Color(ColorBad, 0))
	if got := img.At(24, 24); got != want {
		t.Errorf("the middle of a plus is %v, want %v", got, want)
	}
	if _, _, _, a := img.At(1, 1).RGBA(); a != 0 {
		t.Error("the corner of a plus is not transparent")
	}
}
