package kit

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

	"goated/assets"
)

// Stencils are the icons of the window as they were drawn, by name and size in
// pixels. Fyne reads and draws a drawing anew for each place and colour, and
// twice: before it knows how many pixels there are, and after. That was a tenth
// of the window's start and a quarter of what scrolling takes. They belong to
// the UI goroutine.
type IconCache struct {
	drawn map[iconKey]*image.RGBA
}

type iconKey struct {
	name          string // empty: the application's own icon
	width, height int
}

func NewIconCache() *IconCache { return &IconCache{drawn: map[iconKey]*image.RGBA{}} }

// iconCacheOf are those of the window; new ones where there is none.
func iconCacheOf() *IconCache {
	if l, ok := fyne.CurrentApp().Settings().Theme().(Theme); ok && l.Icons != nil {
		return l.Icons
	}
	return NewIconCache()
}

// Icon is an icon as it is drawn in black, or the application's; nil if there is
// none of that name.
func (s *IconCache) Icon(name string, width, height int) *image.RGBA {
	key := iconKey{name, width, height}
	if img, ok := s.drawn[key]; ok {
		return img
	}
	svg := assets.IconSVG
	if name != "" {
		var err error
		if svg, err = assets.Icon(name); err != nil {
			return nil
		}
	}
	img := rendered(svg, width, height)
	s.drawn[key] = img
	return img
}

// rendered is a drawing in that many pixels; nil if it can't be read.
func rendered(svg []byte, width, height int) *image.RGBA {
	drawing, err := oksvg.ReadIconStream(bytes.NewReader(svg))
	if err != nil {
		return nil
	}
	drawing.SetTarget(0, 0, float64(width), float64(height))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	drawing.Draw(rasterx.NewDasher(width, height, rasterx.NewScannerGV(width, height, img, img.Rect)), 1)
	return img
}

// draw is the glyph in its colour, for a raster.
func (g *Icon) draw(width, height int) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	if g.name == "" {
		return out
	}
	if black := iconCacheOf().Icon(g.name, width, height); black != nil {
		colorize(out, black, theme.Color(g.color))
	}
	return out
}

// colorize draws what is drawn in black in a colour.
func colorize(out, black *image.RGBA, ink color.Color) {
	draw.DrawMask(out, out.Rect, image.NewUniform(ink), image.Point{}, black, image.Point{}, draw.Src)
}

// NewLogo is the application's icon as part of a page.
func NewLogo() *canvas.Raster {
	return canvas.NewRaster(func(width, height int) image.Image {
		return iconCacheOf().Icon("", width, height)
	})
}
