package virtual

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// ListBarWidth is the width of the region that the user can drag. The drawn bar is narrower.
const ListBarWidth = 12

// A listBar is the scroll bar of a list.
type listBar struct {
	widget.BaseWidget
	list    *List
	Hovered bool
}

func newListBar(r *List) *listBar {
	b := &listBar{list: r}
	b.ExtendBaseWidget(b)
	b.Hide()
	return b
}

// place places the bar, or hides it if the list does not scroll.
func (b *listBar) place() {
	size := b.list.Size()
	if b.list.total() <= float64(size.Height)+0.5 {
		b.Hide()
		return
	}
	b.Show()
	thumb := b.thumb()
	way := b.list.total() - float64(size.Height)
	y := float32(b.list.Offset / way * float64(size.Height-thumb))
	kit.Place(b, size.Width-ListBarWidth, y, ListBarWidth, thumb)
}

func (b *listBar) thumb() float32 {
	size := b.list.Size()
	return max(float32(float64(size.Height)*float64(size.Height)/b.list.total()), min(36, size.Height))
}

func (b *listBar) Dragged(e *fyne.DragEvent) {
	size := b.list.Size()
	if room := size.Height - b.thumb(); room > 0 {
		b.list.ScrollTo(b.list.Offset + float64(e.Dragged.DY)*(b.list.total()-float64(size.Height))/float64(room))
	}
}

func (b *listBar) DragEnd()                       {}
func (b *listBar) MouseIn(*desktop.MouseEvent)    { b.Hovered = true; b.Refresh() }
func (b *listBar) MouseMoved(*desktop.MouseEvent) {}
func (b *listBar) MouseOut()                      { b.Hovered = false; b.Refresh() }

func (b *listBar) CreateRenderer() fyne.WidgetRenderer {
	r := &listBarRenderer{b: b, thumb: canvas.NewRectangle(nil)}
	r.Refresh()
	return r
}

type listBarRenderer struct {
	b     *listBar
	thumb *canvas.Rectangle
}

func (r *listBarRenderer) Layout(size fyne.Size) {
	w := float32(4)
	if r.b.Hovered {
		w = 7
	}
	r.thumb.CornerRadius = w / 2
	r.thumb.Move(fyne.NewPos(size.Width-w-3, 2))
	r.thumb.Resize(fyne.NewSize(w, max(size.Height-4, 0)))
}

func (r *listBarRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *listBarRenderer) Refresh() {
	r.thumb.FillColor = theme.Color(theme.ColorNameScrollBar)
	r.Layout(r.b.Size())
	r.thumb.Refresh()
}

func (r *listBarRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.thumb} }
func (r *listBarRenderer) Destroy()                     {}
