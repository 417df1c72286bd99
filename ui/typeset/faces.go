package typeset

import (
	"bytes"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/font"
)

// faces holds the parsed typefaces by their source. It contains nil for a typeface that cannot be
// parsed. In that case another font is used, or Fyne reports the error.
type faces map[fyne.Resource]*font.Face

// parse returns the parsed typeface, or nil. It parses each source once.
func (f faces) parse(source fyne.Resource) *font.Face {
	if source == nil {
		return nil
	}
	face, ok := f[source]
	if !ok {
		face, _ = font.ParseTTF(bytes.NewReader(source.Content()))
		f[source] = face
	}
	return face
}
