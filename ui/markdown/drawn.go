package markdown

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/typeset"
	md "goated/ui/view/markdown"
)

// drawn shows the [Layout] of a block that does not change: a table or a formula.
type drawn struct {
	widget.BaseWidget
	block  md.Block
	layout Layout
	width  float32 // the width of layout
}

func newDrawn(b md.Block) *drawn {
	d := &drawn{block: b}
	d.ExtendBaseWidget(d)
	return d
}

// String returns the text of the block, for screen readers and tests.
func (d *drawn) String() string { return d.block.Text() }

// HeightFor lays out the block for a width.
func (d *drawn) HeightFor(width float32) float32 {
	if d.width != width && width > 0 {
		d.width = width
		d.layout = Layout{Measure: kit.NewWordMeasure()}
		d.layout.Height = d.layout.Block(&d.block, 0, 0, width, Body(kit.ColorText))
	}
	return d.layout.Height
}

func (d *drawn) CreateRenderer() fyne.WidgetRenderer {
	r := &drawnRenderer{d: d}
	r.Refresh()
	return r
}

type drawnRenderer struct {
	d       *drawn
	objects []fyne.CanvasObject
	fits    float32 // the width for which objects is valid
}

func (r *drawnRenderer) Layout(size fyne.Size) {
	if size.Width != r.fits {
		r.Refresh()
	}
}

func (r *drawnRenderer) MinSize() fyne.Size {
	w := r.d.Size().Width
	if w == 0 {
		w = 200
	}
	return fyne.NewSize(0, r.d.HeightFor(w))
}

func (r *drawnRenderer) Refresh() {
	r.fits, r.objects = r.d.Size().Width, nil
	if r.fits == 0 {
		return
	}
	r.d.HeightFor(r.fits)
	for _, s := range r.d.layout.Shapes {
		r.rect(s.X, s.Y, s.W, s.H, s.Fill, s.Stroke, s.Radius)
	}
	for i := range r.d.layout.Lines {
		l := &r.d.layout.Lines[i]
		l.DrawChips(r)
		l.Draw(r, r.d.layout.Measure, false)
	}
	canvas.Refresh(r.d)
}

func (r *drawnRenderer) rect(x, y, w, h float32, fill, stroke fyne.ThemeColorName, radius float32) {
	o := canvas.NewRectangle(theme.Color(fill))
	o.CornerRadius = radius
	if stroke != "" && stroke != kit.ColorNone {
		o.StrokeColor, o.StrokeWidth = color.Color(theme.Color(stroke)), 1
	}
	kit.Place(o, x, y, w, h)
	r.objects = append(r.objects, o)
}

// Rect, Glyphs and Text implement [Pen].
func (r *drawnRenderer) Rect(x, y, w, h float32, fill fyne.ThemeColorName, radius float32) {
	r.rect(x, y, w, h, fill, kit.ColorNone, radius)
}

func (r *drawnRenderer) Glyphs(s *typeset.Text, x, baseline float32, ink fyne.ThemeColorName) {
	g := typeset.NewGlyphs()
	g.Show(s, theme.Color(ink), x, baseline, typeset.ScaleOf(r.d))
	r.objects = append(r.objects, g.Raster)
}

func (r *drawnRenderer) Text(text string, x, y, w, h, size float32, style fyne.TextStyle, ink fyne.ThemeColorName) {
	t, scale := canvas.NewText(text, theme.Color(ink)), typeset.ScaleOf(r.d)
	t.TextSize, t.TextStyle, t.FontSource = size, style, kit.FaceOf(text, style)
	kit.Place(t, typeset.Snap(x, scale), typeset.Snap(y, scale), w, h)
	r.objects = append(r.objects, t)
}

func (r *drawnRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *drawnRenderer) Destroy()                     {}
