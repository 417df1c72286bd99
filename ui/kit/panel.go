package kit

import (
	"image/color"

	"goated/ui/shadow"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// A Panel is a rounded rectangle that follows the theme.
type Panel struct {
	widget.BaseWidget
	fill, Stroke fyne.ThemeColorName
	radius       float32
	Shadow       bool
	Bold         bool // a stroke of two pixels
	Sharp        bool // a lower right corner with a small radius, for chat bubbles
}

func NewPanel(fill, stroke fyne.ThemeColorName, radius float32) *Panel {
	p := &Panel{fill: fill, Stroke: stroke, radius: radius}
	p.ExtendBaseWidget(p)
	return p
}

func (p *Panel) Paint(fill, stroke fyne.ThemeColorName) {
	if p.fill != fill || p.Stroke != stroke {
		p.fill, p.Stroke = fill, stroke
		p.Refresh()
	}
}

func (p *Panel) CreateRenderer() fyne.WidgetRenderer {
	r := &panelRenderer{p: p, rect: canvas.NewRectangle(color.Transparent)}
	if p.Shadow {
		r.shadow = shadow.New(p.radius, func() color.Color { return theme.Color(colorShade) })
		r.objects = r.shadow.Pieces()
	}
	r.objects = append(r.objects, r.rect)
	r.Refresh()
	return LaidOut(r, p.Size())
}

type panelRenderer struct {
	p       *Panel
	rect    *canvas.Rectangle
	shadow  *shadow.Shadow      // nil if there is none
	objects []fyne.CanvasObject // cached, because each frame asks for them
}

func (r *panelRenderer) Layout(size fyne.Size) {
	r.rect.Resize(size)
	if r.shadow != nil {
		r.shadow.Resize(size)
	}
}

func (r *panelRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *panelRenderer) Refresh() {
	r.rect.FillColor = theme.Color(r.p.fill)
	r.rect.StrokeColor, r.rect.StrokeWidth = theme.Color(r.p.Stroke), 1
	if r.p.Bold {
		r.rect.StrokeWidth = 2
	}
	if r.p.Stroke == ColorNone {
		r.rect.StrokeWidth = 0
	}
	r.rect.CornerRadius = r.p.radius
	if r.p.Sharp {
		r.rect.BottomRightCornerRadius = 4
		r.rect.TopLeftCornerRadius, r.rect.TopRightCornerRadius, r.rect.BottomLeftCornerRadius = r.p.radius, r.p.radius, r.p.radius
	}
	if r.shadow != nil {
		r.shadow.Refresh()
	}
	r.rect.Refresh()
}

func (r *panelRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *panelRenderer) Destroy()                     {}

// NewLine returns a separator line, one pixel thick.
func NewLine() *fyne.Container { return Sized(1, 1, NewPanel(ColorBorder, ColorNone, 0)) }

// An Icon draws one of the stroked icons in a colour of the theme.
type Icon struct {
	widget.BaseWidget
	name  string
	color fyne.ThemeColorName
	Side  float32
}

func NewIcon(name string, size float32, color fyne.ThemeColorName) *Icon {
	g := &Icon{name: name, color: color, Side: size}
	g.ExtendBaseWidget(g)
	return g
}

// Icon returns the name of the icon in package assets.
func (g *Icon) Icon() string { return g.name }

func (g *Icon) Set(name string, color fyne.ThemeColorName) {
	if g.name != name || g.color != color {
		g.name, g.color = name, color
		g.Refresh()
	}
}

func (g *Icon) CreateRenderer() fyne.WidgetRenderer {
	return LaidOut(&iconRenderer{g: g, img: canvas.NewRaster(g.draw)}, g.Size())
}

type iconRenderer struct {
	g   *Icon
	img *canvas.Raster
}

func (r *iconRenderer) Layout(size fyne.Size) {
	r.img.Move(fyne.NewPos((size.Width-r.g.Side)/2, (size.Height-r.g.Side)/2))
	r.img.Resize(fyne.NewSquareSize(r.g.Side))
}

func (r *iconRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.g.Side) }

func (r *iconRenderer) Refresh() { r.img.Refresh() }

func (r *iconRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.img} }
func (r *iconRenderer) Destroy()                     {}
