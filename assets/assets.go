// Package assets contains goated's typefaces, its icon and the stroked icons of the window.
// Everything is embedded, so that the window looks the same everywhere.
//
// Inter, JetBrains Mono and Noto Sans Math are under the SIL Open Font License. Its text is
// beside them in fonts.
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
	// MathRegular contains the signs of formulas that the other typefaces lack, and the Latin and
	// Greek letters that can be under an arrow. It is a part of Noto Sans Math, made by
	// pyftsubset with --layout-features=mark,mkmk,ccmp --no-hinting --drop-tables+=MATH. The
	// arrow U+20D7 has no anchor there, so it is moved by (-287, 110) to be above a letter.
	//go:embed fonts/NotoSansMath-Subset.ttf
	MathRegular []byte
)

// The application's icon, as SVG and as 256×256 pixels.
var (
	//go:embed icon.svg
	IconSVG []byte
	//go:embed icon.png
	IconPNG []byte
)

// Lexers contains the languages for syntax highlighting. It is a ZIP archive of chroma's lexers
// in XML, with one file each. The licence is in the same folder.
//
//go:embed lexers.zip
var Lexers []byte

//go:embed icons/*.svg
var icons embed.FS

// Stroke is the colour of every stroked icon. The window replaces it by a colour of its theme.
const Stroke = "#000000"

// Icon returns the stroked icon with the given name as SVG of 24×24 units, or an error if there
// is none.
func Icon(name string) ([]byte, error) {
	svg, err := icons.ReadFile("icons/" + name + ".svg")
	if err != nil {
		return nil, fmt.Errorf("icon %q: %w", name, err)
	}
	return svg, nil
}
