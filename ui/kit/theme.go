package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"goated/assets"
)

// The window's own colours, in addition to Fyne's.
const (
	ColorSidebar   fyne.ThemeColorName = "goatedSidebar"
	ColorSurface   fyne.ThemeColorName = "goatedSurface" // cards and fields
	ColorSunken    fyne.ThemeColorName = "goatedSunken"  // code
	ColorBubble    fyne.ThemeColorName = "goatedBubble"
	ColorSelected  fyne.ThemeColorName = "goatedSelected"
	ColorBorder    fyne.ThemeColorName = "goatedBorder"
	ColorEdge      fyne.ThemeColorName = "goatedEdge" // fields, checkboxes, switches, open questions
	ColorHair      fyne.ThemeColorName = "goatedHair" // frames of menus and tables, scroll bars
	ColorText      fyne.ThemeColorName = "goatedText"
	ColorMuted     fyne.ThemeColorName = "goatedMuted"
	ColorFaint     fyne.ThemeColorName = "goatedFaint"
	ColorAccent    fyne.ThemeColorName = "goatedAccent"     // sage, for icons and rings
	ColorPrimary   fyne.ThemeColorName = "goatedPrimary"    // fill of the main action
	ColorOnPrimary fyne.ThemeColorName = "goatedOnPrimary"  // text on ColorPrimary
	ColorSoft      fyne.ThemeColorName = "goatedSoft"       // light sage
	ColorGood      fyne.ThemeColorName = "goatedGood"       // success
	ColorBad       fyne.ThemeColorName = "goatedBad"        // failure
	ColorBadSoft   fyne.ThemeColorName = "goatedBadSoft"    // background of a failure
	ColorWarn      fyne.ThemeColorName = "goatedWarn"       // waiting for the user
	ColorWarnSoft  fyne.ThemeColorName = "goatedWarnSoft"   // background of things that wait for the user
	ColorScrim     fyne.ThemeColorName = "goatedScrim"      // over the page, behind a sheet
	colorToast     fyne.ThemeColorName = "goatedToast"      // inverted: dark in the light theme
	colorOnToast   fyne.ThemeColorName = "goatedOnToast"    // text on colorToast
	ColorNone      fyne.ThemeColorName = "goatedNone"       // not drawn
	colorShade     fyne.ThemeColorName = "goatedShadeLayer" // one layer of a shadow
)

// Theme is goated's theme: paper and sage, sharp borders of one pixel. It is
// immutable and safe for concurrent use, except Measure and Icons, which belong to
// the UI goroutine.
type Theme struct {
	Dark    *bool      // nil follows the system
	Measure *Measure   // the shared cache of text widths; nil lets Fyne measure
	Icons   *IconCache // the shared cache of icons; nil renders each icon separately
	Menu    *FieldMenu // the menu of input fields; nil uses Fyne's menu
	OpenGL  bool       // Fyne clears the window with OpenGL
}

// A FieldMenu opens the menu of an input at a position on the canvas.
type FieldMenu struct {
	Open func(in *Input, at fyne.Position)
}

type pair struct{ light, dark string }

// A cleared colour is a background colour that Fyne clears a window with. Fyne's OpenGL painter
// divides the values of RGBA by 255 * 255 instead of 65535. The values of color.NRGBA would make
// the window lighter than the colour.
type cleared color.NRGBA

func (c cleared) RGBA() (r, g, b, a uint32) {
	return uint32(c.R) * 255, uint32(c.G) * 255, uint32(c.B) * 255, 0xFFFF
}

// nothing is the value of ColorNone. Fyne skips only color.Transparent, and paints every other
// invisible colour pixel by pixel.
const nothing = "#00000000"

// hex parses #RRGGBB or #RRGGBBAA. The tables below contain only these forms.
func hex(s string) color.NRGBA {
	digit := func(i int) uint8 {
		switch c := s[i]; {
		case c <= '9':
			return c - '0'
		case c <= 'F':
			return c - 'A' + 10
		default:
			return c - 'a' + 10
		}
	}
	c := color.NRGBA{digit(1)<<4 | digit(2), digit(3)<<4 | digit(4), digit(5)<<4 | digit(6), 0xFF}
	if len(s) == 9 {
		c.A = digit(7)<<4 | digit(8)
	}
	return c
}

// tint returns the light and the dark colour for a name. Text has a contrast of at least 4.5 on
// each of its backgrounds, and ColorEdge has a contrast of at least 3 (WCAG 2.2, 1.4.3 and
// 1.4.11).
func tint(name fyne.ThemeColorName) (pair, bool) {
	switch name {
	case theme.ColorNameBackground:
		return pair{"#FBFBF9", "#161917"}, true
	case ColorSidebar:
		return pair{"#F4F4F1", "#111412"}, true
	case ColorSurface, theme.ColorNameOverlayBackground, theme.ColorNameMenuBackground:
		return pair{"#FFFFFF", "#1D211F"}, true
	case ColorSunken:
		return pair{"#F6F7F5", "#121513"}, true
	case ColorBubble:
		return pair{"#EEEFEB", "#272D29"}, true
	case ColorSelected:
		return pair{"#E4E8E3", "#232926"}, true
	case ColorBorder, theme.ColorNameSeparator:
		return pair{"#E2E3DE", "#333B36"}, true
	case ColorEdge:
		return pair{"#848A85", "#747D77"}, true
	case ColorHair:
		return pair{"#CFD3CD", "#404843"}, true
	case ColorText, theme.ColorNameForeground:
		return pair{"#1A1C1A", "#ECEFEC"}, true
	case ColorMuted:
		return pair{"#5A5F5B", "#A9B1AB"}, true
	case ColorFaint, theme.ColorNamePlaceHolder, theme.ColorNameDisabled:
		return pair{"#60655F", "#98A09A"}, true
	case ColorAccent, theme.ColorNamePrimary, theme.ColorNameHyperlink:
		return pair{"#5D8570", "#8DB59D"}, true
	case ColorPrimary:
		return pair{"#3D5C4C", "#8DB59D"}, true
	case ColorOnPrimary, theme.ColorNameForegroundOnPrimary:
		return pair{"#FFFFFF", "#0F1512"}, true
	case ColorSoft:
		return pair{"#E3EDE7", "#24322B"}, true
	case ColorGood, theme.ColorNameSuccess:
		return pair{"#37704F", "#86C29D"}, true
	case ColorBad, theme.ColorNameError:
		return pair{"#A63D36", "#EC9891"}, true
	case ColorBadSoft:
		return pair{"#FBEFED", "#2E1F1D"}, true
	case ColorWarnSoft:
		return pair{"#FAF1DF", "#2C2618"}, true
	case ColorWarn, theme.ColorNameWarning:
		return pair{"#8A5E12", "#DDB76F"}, true
	case ColorScrim:
		return pair{"#1E2A2459", "#00000099"}, true
	case colorToast:
		return pair{"#23302A", "#E3EDE7"}, true
	case colorOnToast:
		return pair{"#F2F7F4", "#16201B"}, true
	case colorShade:
		return pair{"#1E2A2404", "#0000000E"}, true
	case theme.ColorNameSelection:
		return pair{"#BFD8CA", "#35523F"}, true
	case theme.ColorNameFocus:
		return pair{"#5D857055", "#8DB59D55"}, true
	case theme.ColorNameHover:
		return pair{"#1A1C1A0C", "#FFFFFF0F"}, true
	case theme.ColorNamePressed:
		return pair{"#1A1C1A18", "#FFFFFF1C"}, true
	case theme.ColorNameScrollBar:
		return pair{"#1A1C1A40", "#FFFFFF40"}, true
	case theme.ColorNameButton:
		return pair{"#EEEFEB", "#272D29"}, true
	case theme.ColorNameHeaderBackground:
		return pair{"#F4F4F1", "#111412"}, true
	// Package kit draws its own fields and shadows. A scroller has no gradient below the header.
	case ColorNone, theme.ColorNameInputBackground, theme.ColorNameInputBorder,
		theme.ColorNameShadow, theme.ColorNameScrollBarBackground:
		return pair{nothing, nothing}, true
	}
	return textTint(name)
}

func (l Theme) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	dark := variant == theme.VariantDark
	if l.Dark != nil {
		dark = *l.Dark
	}
	p, ok := tint(name)
	switch {
	case p.light == nothing:
		return color.Transparent
	case !ok && dark:
		return theme.DefaultTheme().Color(name, theme.VariantDark)
	case !ok:
		return theme.DefaultTheme().Color(name, theme.VariantLight)
	}
	c := hex(p.light)
	if dark {
		c = hex(p.dark)
	}
	if l.OpenGL && name == theme.ColorNameBackground {
		return cleared(c)
	}
	return c
}

func (Theme) Font(style fyne.TextStyle) fyne.Resource {
	switch {
	case style.Symbol:
		return theme.DefaultTheme().Font(style)
	case style.Monospace && style.Bold:
		return faceMonoBold
	case style.Monospace:
		return faceMono
	case style.Bold:
		return faceSemiBold
	case style.Italic:
		return faceItalic
	}
	return faceRegular
}

func (Theme) Icon(name fyne.ThemeIconName) fyne.Resource { return theme.DefaultTheme().Icon(name) }

// Size returns whole numbers for text sizes. Fyne rounds a size up to place the letters, so a
// fraction would make text too wide.
func (Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return 14
	case theme.SizeNameCaptionText:
		return 12
	case theme.SizeNameHeadingText:
		return 24
	case theme.SizeNameSubHeadingText:
		return 16
	case theme.SizeNameInputRadius, theme.SizeNameSelectionRadius:
		return 9
	case theme.SizeNameInputBorder:
		return 2
	case theme.SizeNameScrollBar:
		return 8
	case theme.SizeNameScrollBarSmall:
		return 4
	case theme.SizeNameScrollBarRadius:
		return 4
	}
	return theme.DefaultTheme().Size(name)
}

// The typefaces. Fyne compares faces by pointer, so there is only one copy of each.
var (
	faceRegular  = fyne.NewStaticResource("Inter-Regular.otf", assets.InterRegular)
	faceMedium   = fyne.NewStaticResource("Inter-Medium.otf", assets.InterMedium)
	faceSemiBold = fyne.NewStaticResource("Inter-SemiBold.otf", assets.InterSemiBold)
	faceItalic   = fyne.NewStaticResource("Inter-Italic.otf", assets.InterItalic)
	faceMono     = fyne.NewStaticResource("JetBrainsMono-Regular.ttf", assets.WithoutLigatures(assets.MonoRegular))
	faceMonoBold = fyne.NewStaticResource("JetBrainsMono-Bold.ttf", assets.WithoutLigatures(assets.MonoBold))
)
