package kit

import (
	"image/color"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// luminance computes the relative luminance of WCAG 2.2.
func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

// contrast computes the contrast ratio of two opaque colours, between 1 and 21.
func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast computes the contrast of each text and each border of a control with
// each background that it can have (WCAG 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	t.Parallel()
	everywhere := []fyne.ThemeColorName{
		theme.ColorNameBackground, ColorSidebar, ColorSurface, ColorSunken, ColorBubble, ColorSelected, ColorSoft, ColorBadSoft, ColorWarnSoft,
	}
	fields := []fyne.ThemeColorName{theme.ColorNameBackground, ColorSidebar, ColorSurface, ColorSunken}
	for _, c := range []struct {
		fore   fyne.ThemeColorName
		behind []fyne.ThemeColorName
		least  float64
	}{
		{ColorText, everywhere, 4.5},
		{ColorMuted, everywhere, 4.5},
		{ColorFaint, everywhere, 4.5},
		{ColorLink, everywhere, 4.5},
		{ColorWarn, everywhere, 4.5},
		{ColorBad, everywhere, 4.5},
		{ColorGood, everywhere, 4.5},
		{ColorOnPrimary, []fyne.ThemeColorName{ColorPrimary}, 4.5},
		{colorOnToast, []fyne.ThemeColorName{colorToast}, 4.5},
		{ColorEdge, fields, 3},
		{ColorAccent, fields, 3},
	} {
		fore, ok := tint(c.fore)
		if !ok {
			t.Fatalf("%s has no colour", c.fore)
		}
		for _, name := range c.behind {
			behind, ok := tint(name)
			if !ok {
				t.Fatalf("%s has no colour", name)
			}
			if r := contrast(hex(fore.light), hex(behind.light)); r < c.least {
				t.Errorf("light: %s on %s has a contrast of %.2f, want %.1f", c.fore, name, r, c.least)
			}
			if r := contrast(hex(fore.dark), hex(behind.dark)); r < c.least {
				t.Errorf("dark: %s on %s has a contrast of %.2f, want %.1f", c.fore, name, r, c.least)
			}
		}
	}
}
