package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A panel is a rounded rectangle that follows the theme.
type panel struct {
	widget.BaseWidget
	fill, stroke fyne.ThemeColorName
	radius       float32
	shadow       bool
	bold         bool // a stroke of two pixels
	sharp        bool // the lower right corner, of a bubble
}

func newPanel(fill, stroke fyne.ThemeColorName, radius float32) *panel {
	p := &panel{fill: fill, stroke: stroke, radius: radius}
	p.ExtendBaseWidget(p)
	return p
}

func (p *panel) paint(fill, stroke fyne.ThemeColorName) {
	if p.fill != fill || p.stroke != stroke {
		p.fill, p.stroke = fill, stroke
		p.Refresh()
	}
}

// shadowLayers are stacked to make a soft edge: Fyne has no shadows.
const shadowLayers = 8

func (p *panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{p: p, rect: canvas.NewRectangle(color.Transparent)}
	if p.shadow {
		for range shadowLayers {
			r.shade = append(r.shade, canvas.NewRectangle(color.Transparent))
		}
	}
	r.Refresh()
	return r
}

type panelRenderer struct {
	p     *panel
	rect  *canvas.Rectangle
	shade []*canvas.Rectangle
}

func (r *panelRenderer) Layout(size fyne.Size) {
	r.rect.Resize(size)
	for i, s := range r.shade {
		grow := float32(i*4 - 4)
		s.Move(fyne.NewPos(-grow, -grow+10))
		s.Resize(size.AddWidthHeight(2*grow, 2*grow))
		s.CornerRadius = r.p.radius + grow
	}
}

func (r *panelRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *panelRenderer) Refresh() {
	r.rect.FillColor = theme.Color(r.p.fill)
	r.rect.StrokeColor, r.rect.StrokeWidth = theme.Color(r.p.stroke), 1
	if r.p.bold {
		r.rect.StrokeWidth = 2
	}
	if r.p.stroke == colorNone {
		r.rect.StrokeWidth = 0
	}
	r.rect.CornerRadius = r.p.radius
	if r.p.sharp {
		r.rect.BottomRightCornerRadius = 4
		r.rect.TopLeftCornerRadius, r.rect.TopRightCornerRadius, r.rect.BottomLeftCornerRadius = r.p.radius, r.p.radius, r.p.radius
	}
	for _, s := range r.shade {
		s.FillColor = theme.Color(colorShade)
		s.Refresh()
	}
	r.rect.Refresh()
}

func (r *panelRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for _, s := range r.shade {
		out = append(out, s)
	}
	return append(out, r.rect)
}

func (r *panelRenderer) Destroy() {}

// A line is one pixel between two regions.
func newLine() *fyne.Container { return sized(1, 1, newPanel(colorBorder, colorNone, 0)) }

// A glyph is one of the stroked icons, in a colour of the theme.
type glyph struct {
	widget.BaseWidget
	name  string
	color fyne.ThemeColorName
	size  float32
}

func newGlyph(name string, size float32, color fyne.ThemeColorName) *glyph {
	g := &glyph{name: name, color: color, size: size}
	g.ExtendBaseWidget(g)
	return g
}

// Icon is the name of the icon in assets.
func (g *glyph) Icon() string { return g.name }

func (g *glyph) set(name string, color fyne.ThemeColorName) {
	if g.name != name || g.color != color {
		g.name, g.color = name, color
		g.Refresh()
	}
}

func (g *glyph) CreateRenderer() fyne.WidgetRenderer {
	return &glyphRenderer{g: g, img: canvas.NewRaster(g.draw)}
}

type glyphRenderer struct {
	g   *glyph
	img *canvas.Raster
}

func (r *glyphRenderer) Layout(size fyne.Size) {
	r.img.Move(fyne.NewPos((size.Width-r.g.size)/2, (size.Height-r.g.size)/2))
	r.img.Resize(fyne.NewSquareSize(r.g.size))
}

func (r *glyphRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.g.size) }

func (r *glyphRenderer) Refresh() { r.img.Refresh() }

func (r *glyphRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.img} }
func (r *glyphRenderer) Destroy()                     {}
