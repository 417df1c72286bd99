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

// An IconCache holds rendered icons by name and size in pixels. Without it, Fyne parses and
// renders an SVG for each widget and colour, and does so twice: before and after it learns the
// scale. That took a tenth of the window's startup time and a quarter of the time of scrolling. A
// cache belongs to the UI goroutine.
type IconCache struct {
	drawn map[iconKey]*image.RGBA
}

type iconKey struct {
	name          string // empty for the application's own icon
	width, height int
}

func NewIconCache() *IconCache { return &IconCache{drawn: map[iconKey]*image.RGBA{}} }

// iconCacheOf returns the cache of the current theme, or a new cache if the theme has none.
func iconCacheOf() *IconCache {
	if l, ok := fyne.CurrentApp().Settings().Theme().(Theme); ok && l.Icons != nil {
		return l.Icons
	}
	return NewIconCache()
}

// Icon returns an icon rendered in black. An empty name selects the application's
// icon, in its own colours. The result is nil for an unknown name.
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

// rendered renders an SVG at the given size. It returns nil if it cannot parse the SVG.
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

// draw renders the icon in its colour. A canvas.Raster calls it.
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

// colorize copies a black icon to out in the colour ink.
func colorize(out, black *image.RGBA, ink color.Color) {
	draw.DrawMask(out, out.Rect, image.NewUniform(ink), image.Point{}, black, image.Point{}, draw.Src)
}

// NewLogo returns the application's icon.
func NewLogo() *canvas.Raster {
	return canvas.NewRaster(func(width, height int) image.Image {
		return iconCacheOf().Icon("", width, height)
	})
}
