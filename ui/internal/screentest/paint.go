package screentest

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
)

// A painter paints a window like Fyne's software painter, apart from rounding differences in
// blended colours. Fyne's painter is slow: it blends each pixel of each object into an
// image.NRGBA, which Go does without a fast path, and it also paints what scrollers hide. It
// draws the top of a rounded rectangle at the edge of the scroller that hides this top,
// although the real window does not. The painter here fills areas itself and lets Fyne paint
// only small patches such as texts, icons and corners.
type painter struct {
	picture *image.RGBA
	patch   test.WindowlessCanvas
	root    *fyne.Container // the content of patch
}

// paint returns a picture of a canvas.
func paint(c fyne.Canvas) *image.RGBA {
	size := c.Size()
	p := &painter{
		picture: image.NewRGBA(image.Rect(0, 0, up(size.Width), up(size.Height))),
		patch:   software.NewTransparentCanvas(),
		root:    container.New(still{}),
	}
	p.patch.SetPadded(false)
	p.patch.SetContent(p.root)
	draw.Draw(p.picture, p.picture.Rect, image.NewUniform(theme.Color(theme.ColorNameBackground)), image.Point{}, draw.Src)
	for _, o := range append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...) {
		p.walk(o, fyne.Position{}, p.picture.Rect)
	}
	return p.picture
}

// still is the layout of objects that keep their positions and sizes.
type still struct{}

func (still) Layout([]fyne.CanvasObject, fyne.Size)        {}
func (still) MinSize([]fyne.CanvasObject) (none fyne.Size) { return none }

// up returns the pixel of a coordinate. Like Fyne, it rounds up.
func up(v float32) int { return int(math.Ceil(float64(v))) }

// area returns the pixels of an area of the window.
func (p *painter) area(at fyne.Position, size fyne.Size) image.Rectangle {
	return image.Rectangle{image.Pt(up(at.X), up(at.Y)), image.Pt(up(at.X+size.Width), up(at.Y+size.Height))}.Intersect(p.picture.Rect)
}

// walk paints an object and its parts. Like Fyne, it clips each part only by the closest
// scroller.
func (p *painter) walk(o fyne.CanvasObject, at fyne.Position, clip image.Rectangle) {
	if o == nil || !o.Visible() { // a window without a page has only overlays
		return
	}
	at = o.Position().Add(at)
	var parts []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		parts = o.Objects
	case fyne.Widget:
		r := test.WidgetRenderer(o)
		parts = r.Objects()
		_, scrolls := o.(fyne.Scrollable)
		if _, clips := r.(interface{ IsClip() }); clips || scrolls {
			clip = p.area(at, o.Size())
		}
	case *canvas.Rectangle:
		p.rectangle(o, at, clip)
	case *canvas.Text:
		p.text(o, at, clip)
	case *canvas.Raster:
		p.raster(o, at, clip)
	default:
		p.other(o, at, clip)
	}
	for _, part := range parts {
		p.walk(part, at, clip)
	}
}

// text paints a text where its alignment puts it.
func (p *painter) text(t *canvas.Text, at fyne.Position, clip image.Rectangle) {
	if high := max(t.Size().Height, 2*t.TextSize); clip.Empty() || up(at.Y) >= clip.Max.Y || up(at.Y+high) <= clip.Min.Y {
		return // Fyne would measure it
	}
	l := p.letters(t)
	spare := t.Size().Subtract(l.room)
	switch t.Alignment {
	case fyne.TextAlignTrailing:
		at.X += spare.Width
	case fyne.TextAlignCenter:
		at.X += spare.Width / 2
	}
	at.Y += max(0, spare.Height) / 2
	origin, ink := image.Pt(up(at.X), up(at.Y)), t.Color
	if ink == nil {
		ink = theme.Color(theme.ColorNameForeground)
	}
	clip = clip.Intersect(l.mask.Rect.Add(origin))
	draw.DrawMask(p.picture, clip, image.NewUniform(ink), image.Point{}, l.mask, clip.Min.Sub(origin), draw.Over)
}

// raster paints an object that draws itself, provided that it returns a picture of its size.
func (p *painter) raster(r *canvas.Raster, at fyne.Position, clip image.Rectangle) {
	place := image.Rect(0, 0, up(r.Size().Width), up(r.Size().Height)).Add(image.Pt(up(at.X), up(at.Y)))
	if place.Empty() || place.Intersect(clip).Empty() {
		return
	}
	drawn := r.Generator(place.Dx(), place.Dy())
	if drawn.Bounds().Size() != place.Size() {
		p.other(r, at, clip)
		return
	}
	clip = clip.Intersect(place)
	draw.Draw(p.picture, clip, drawn, clip.Min.Sub(place.Min), draw.Over)
}

// other paints an image, a line or another shape.
func (p *painter) other(o fyne.CanvasObject, at fyne.Position, clip image.Rectangle) {
	const edge = 8 // lines are wider than their objects
	if clip = clip.Intersect(p.area(at.SubtractXY(edge, edge), o.Size().AddWidthHeight(2*edge, 2*edge))); clip.Empty() {
		return
	}
	frame := container.New(still{}, o)
	frame.Move(at.Subtract(o.Position()).SubtractXY(float32(clip.Min.X), float32(clip.Min.Y)))
	p.over(frame, clip)
}

// over lets Fyne paint an object onto a part of the picture.
func (p *painter) over(o fyne.CanvasObject, part image.Rectangle) {
	before := p.picture.SubImage(part).(*image.RGBA)
	before.Rect = image.Rectangle{Max: part.Size()}
	ground := canvas.NewRaster(func(int, int) image.Image { return before })
	draw.Draw(p.picture, part, p.capture(part.Size(), ground, o), image.Point{}, draw.Src)
}

// capture lets Fyne paint an object onto the background ground, which covers the patch.
func (p *painter) capture(size image.Point, ground, o fyne.CanvasObject) *image.NRGBA {
	full := fyne.NewSize(float32(size.X), float32(size.Y))
	ground.Resize(full)
	p.root.Objects = []fyne.CanvasObject{ground, o}
	p.patch.Resize(full)
	return p.patch.Capture().(*image.NRGBA)
}

func (p *painter) rectangle(r *canvas.Rectangle, at fyne.Position, clip image.Rectangle) {
	stroke := r.StrokeWidth > 0 && visible(r.StrokeColor)
	if !stroke && !visible(r.FillColor) {
		return
	}
	round := max(r.CornerRadius, r.TopLeftCornerRadius, r.TopRightCornerRadius, r.BottomLeftCornerRadius, r.BottomRightCornerRadius)
	switch {
	case r.Aspect != 0:
		p.other(r, at, clip)
	case stroke || round > 0:
		p.stretch(r, at, clip, up(round+2*r.StrokeWidth)+3)
	default:
		x, y := up(at.X), up(at.Y)
		area := image.Rect(x, y, x+up(r.Size().Width), y+up(r.Size().Height)).Intersect(clip)
		draw.Draw(p.picture, area, image.NewUniform(r.FillColor), image.Point{}, draw.Over)
	}
}

// stretch paints a bordered rectangle. Fyne paints a small rectangle with the same corners,
// which the painter then stretches.
func (p *painter) stretch(r *canvas.Rectangle, at fyne.Position, clip image.Rectangle, edge int) {
	small, size := *r, r.Size()
	more := image.Pt(max(0, int(size.Width)-2*edge-1), max(0, int(size.Height)-2*edge-1))
	small.Resize(size.SubtractWidthHeight(float32(more.X), float32(more.Y)))
	origin := image.Pt(up(at.X)-edge, up(at.Y)-edge)
	small.Move(at.SubtractXY(float32(origin.X), float32(origin.Y)))
	room := image.Pt(up(small.Size().Width)+2*edge, up(small.Size().Height)+2*edge)
	full := stretched(p.framed(&small, room), image.Pt(2*edge, 2*edge), more)
	clip = clip.Intersect(full.Rect.Add(origin))
	draw.Draw(p.picture, clip, full, clip.Min.Sub(origin), draw.Over)
}

// alone returns an object with its alpha channel, computed from pictures of the object on white
// and on black. A transparent canvas would round colours where alpha is low.
func (p *painter) alone(o fyne.CanvasObject, size image.Point) *image.RGBA {
	black, white := p.capture(size, canvas.NewRectangle(color.Black), o), p.capture(size, canvas.NewRectangle(color.White), o)
	alone := image.NewRGBA(black.Rect)
	for i := 0; i < len(alone.Pix); i += 4 {
		copy(alone.Pix[i:i+3], black.Pix[i:])
		alone.Pix[i+3] = 255 - (white.Pix[i] - black.Pix[i])
	}
	return alone
}

// stretched returns a picture in which one column and one row are repeated.
func stretched(from *image.RGBA, at, more image.Point) *image.RGBA {
	to := image.NewRGBA(image.Rectangle{Max: from.Rect.Max.Add(more)})
	for y := range to.Rect.Dy() {
		row := to.Pix[y*to.Stride : (y+1)*to.Stride]
		if y > at.Y && y <= at.Y+more.Y {
			copy(row, to.Pix[at.Y*to.Stride:])
			continue
		}
		if y > at.Y {
			y -= more.Y
		}
		source := from.Pix[y*from.Stride : (y+1)*from.Stride]
		n := copy(row, source[:4*at.X])
		for range more.X {
			n += copy(row[n:], source[4*at.X:4*at.X+4])
		}
		copy(row[n:], source[4*at.X:])
	}
	return to
}
