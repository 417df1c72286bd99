// Package assets holds what goated draws with: its typefaces, its icon and the
// stroked icons of the window. Everything is embedded, so that the window looks
// the same wherever it is opened.
//
// Inter, JetBrains Mono and Noto Sans Math are under the SIL Open Font License; its
// text lies beside them in fonts.
package assets

import (
	"embed"
	"fmt"
)

// The typefaces, as OpenType or TrueType files.
var (
	//go:embed fonts/Inter-Regular.otf
	InterRegular []byte
	//go:embed fonts/Inter-Medium.otf
	InterMedium []byte
	//go:embed fonts/Inter-SemiBold.otf
	InterSemiBold []byte
	//go:embed fonts/Inter-Italic.otf
	InterItalic []byte
	//go:embed fonts/JetBrainsMono-Regular.ttf
	MonoRegular []byte
	//go:embed fonts/JetBrainsMono-Bold.ttf
	MonoBold []byte
	// MathRegular has the signs of formulas that the others lack, and the Latin and Greek
	// letters that stand under an arrow. It is a part of Noto Sans Math, made by pyftsubset with
	// --layout-features=mark,mkmk,ccmp --no-hinting --drop-tables+=MATH. Its arrow U+20D7, which has no
	// anchor there, is moved by (-287, 110) to stand above a letter.
	//
	//go:embed fonts/NotoSansMath-Subset.ttf
	MathRegular []byte
)

// The application's icon, as a drawing and as 256×256 pixels.
var (
	//go:embed icon.svg
	IconSVG []byte
	//go:embed icon.png
	IconPNG []byte
)

// Lexers are the languages that code is coloured by: a ZIP archive of chroma's
// lexers in XML, one file each. Its licence lies beside it.
//
//go:embed lexers.zip
var Lexers []byte

//go:embed icons/*.svg
var icons embed.FS

// Stroke is the colour in which every stroked icon is drawn, for the window to
// replace by one of its theme's.
const Stroke = "#000000"

// Icon returns the stroked icon of that name as SVG of 24×24 units, or an error
// if there is none.
func Icon(name string) ([]byte, error) {
	svg, err := icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		return nil, fmt.Errorf("icon %q: %w", name, err)
	}
	return svg, nil
}
