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

// drawn shows a block that does not change as its [Layout] has it: a table or a formula.
type drawn struct {
	widget.BaseWidget
	block  md.Block
	layout Layout
	width  float32 // of layout
}

func newDrawn(b md.Block) *drawn {
	d := &drawn{block: b}
	d.ExtendBaseWidget(d)
	return d
}

// String returns the text of the block, for screen readers and tests.
func (d *drawn) String() string { return d.block.Text() }

// HeightFor lays the block out for a width.
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
	fits    float32 // the width that objects fit
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
		r.line(&r.d.layout.Lines[i])
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

func (r *drawnRenderer) line(l *Line) {
	measure, scale := r.d.layout.Measure, typeset.ScaleOf(r.d)
	body := measure.Rise(l.TextSize, fyne.TextStyle{})
	baseline := l.Y + (l.Leading-body.Height)/2 + body.Base
	for _, f := range l.Parts {
		if f.Code {
			r.rect(l.X+f.X-kit.ChipPad, l.Y+(l.Leading-l.TextSize-6)/2, f.W+2*kit.ChipPad, l.TextSize+6, kit.ColorBubble, kit.ColorNone, 5)
		}
		ink := theme.Color(l.Ink)
		if f.Quiet || f.Strike {
			ink = theme.Color(kit.ColorFaint)
		}
		if s := f.Shaped(l.TextSize); s != nil {
			g := typeset.NewGlyphs()
			g.Show(s, ink, l.X+f.X+(f.W-s.Width)*float32(f.Level%2), baseline, scale)
			r.objects = append(r.objects, g.Raster)
		} else {
			t := canvas.NewText(kit.Shown(f.Text), ink)
			t.TextSize, t.TextStyle = kit.RunSize(l.TextSize, f.Code), f.Font
			t.FontSource = kit.FaceOf(t.Text, f.Font)
			rise := measure.Rise(t.TextSize, f.Font)
			kit.Place(t, typeset.Snap(l.X+f.X, scale), typeset.Snap(baseline-rise.Base, scale), f.W, rise.Height)
			r.objects = append(r.objects, t)
		}
		if f.Strike {
			r.rect(l.X+f.X, baseline-l.TextSize*0.33, f.W, 1, kit.ColorFaint, kit.ColorNone, 0)
		}
	}
}

func (r *drawnRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *drawnRenderer) Destroy()                     {}
