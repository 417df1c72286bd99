package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/virtual"
)

// frame is the layout of the whole table, which fills it with the clip.
type frame struct{ t *Table }

func (l frame) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.Place(objects[0], 0, 0, size.Width, size.Height)
	l.t.slide(0) // limits the offset, which may be too large after a resize
}

func (l frame) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	h := headHeight + 1 + kit.HeightOf(l.t.list.Root, width)
	if l.t.total()+virtual.ListBarWidth > width {
		h += barHeight
	}
	return h
}

func (frame) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(40, headHeight) }

// A clip cuts off the part of a table that does not fit. Fyne clips only objects that handle the
// mouse wheel.
type clip struct {
	widget.BaseWidget
	t     *Table
	parts []fyne.CanvasObject
}

func newClip(t *Table, parts ...fyne.CanvasObject) *clip {
	c := &clip{t: t, parts: parts}
	c.ExtendBaseWidget(c)
	return c
}

func (c *clip) Scrolled(e *fyne.ScrollEvent) {
	if !c.t.wheel(e) {
		c.t.past(e)
	}
}

func (c *clip) CreateRenderer() fyne.WidgetRenderer { return &clipRenderer{c} }

type clipRenderer struct{ c *clip }

func (r *clipRenderer) Layout(size fyne.Size) {
	kit.Place(r.c.parts[0], 0, 0, size.Width, headHeight)
	kit.Place(r.c.parts[1], 0, headHeight, size.Width, 1)
	h := kit.HeightOf(r.c.parts[2], size.Width)
	kit.Place(r.c.parts[2], 0, headHeight+1, size.Width, h)
	kit.Place(r.c.parts[3], 0, headHeight+1+h, size.Width, max(size.Height-headHeight-1-h, 0))
}

func (r *clipRenderer) MinSize() fyne.Size           { return fyne.NewSize(40, headHeight) }
func (r *clipRenderer) Refresh()                     { r.Layout(r.c.Size()); canvas.Refresh(r.c) }
func (r *clipRenderer) Objects() []fyne.CanvasObject { return r.c.parts }
func (r *clipRenderer) Destroy()                     {}

// A bar is the horizontal scroll bar below a table that is too wide.
type bar struct {
	widget.BaseWidget
	t *Table
}

func newBar(t *Table) *bar {
	b := &bar{t: t}
	b.ExtendBaseWidget(b)
	return b
}

// thumb returns the position and width of the thumb. The width is 0 if the table fits.
func (b *bar) thumb() (x, width float32) {
	room, all := b.Size().Width, b.t.total()+virtual.ListBarWidth
	if room <= 0 || all <= room {
		return 0, 0
	}
	width = max(room*room/all, 36)
	return b.t.x / (all - room) * (room - width), width
}

func (b *bar) Dragged(e *fyne.DragEvent) {
	if _, width := b.thumb(); width > 0 {
		b.t.slide(e.Dragged.DX * (b.t.total() + virtual.ListBarWidth - b.Size().Width) / (b.Size().Width - width))
	}
}

func (b *bar) DragEnd() {}

func (b *bar) CreateRenderer() fyne.WidgetRenderer {
	r := &barRenderer{b: b, thumb: canvas.NewRectangle(nil)}
	r.thumb.CornerRadius = 2
	r.Refresh()
	return r
}

type barRenderer struct {
	b     *bar
	thumb *canvas.Rectangle
}

func (r *barRenderer) Layout(size fyne.Size) {
	x, width := r.b.thumb()
	r.thumb.Hidden = width == 0
	r.thumb.Move(fyne.NewPos(x+2, size.Height-6))
	r.thumb.Resize(fyne.NewSize(max(width-4, 0), 4))
}

func (r *barRenderer) MinSize() fyne.Size { return fyne.NewSize(40, 0) }

func (r *barRenderer) Refresh() {
	r.thumb.FillColor = theme.Color(theme.ColorNameScrollBar)
	r.Layout(r.b.Size())
	r.thumb.Refresh()
}

func (r *barRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.thumb} }
func (r *barRenderer) Destroy()                     {}
