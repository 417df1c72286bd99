package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// rollBarWidth is where the bar can be taken; what is drawn is thinner.
const rollBarWidth = 12

// A rollBar shows where a roll is, and moves it.
type rollBar struct {
	widget.BaseWidget
	roll    *roll
	hovered bool
}

func newRollBar(r *roll) *rollBar {
	b := &rollBar{roll: r}
	b.ExtendBaseWidget(b)
	b.Hide()
	return b
}

// lay puts the bar beside what it scrolls, if there is anything to scroll.
func (b *rollBar) lay() {
	size := b.roll.Size()
	if b.roll.total() <= float64(size.Height)+0.5 {
		b.Hide()
		return
	}
	b.Show()
	thumb := b.thumb()
	way := b.roll.total() - float64(size.Height)
	y := float32(b.roll.offset / way * float64(size.Height-thumb))
	place(b, size.Width-rollBarWidth, y, rollBarWidth, thumb)
}

func (b *rollBar) thumb() float32 {
	size := b.roll.Size()
	return max(float32(float64(size.Height)*float64(size.Height)/b.roll.total()), min(36, size.Height))
}

func (b *rollBar) Dragged(e *fyne.DragEvent) {
	size := b.roll.Size()
	if room := size.Height - b.thumb(); room > 0 {
		b.roll.scrollTo(b.roll.offset + float64(e.Dragged.DY)*(b.roll.total()-float64(size.Height))/float64(room))
	}
}

func (b *rollBar) DragEnd()                       {}
func (b *rollBar) MouseIn(*desktop.MouseEvent)    { b.hovered = true; b.Refresh() }
func (b *rollBar) MouseMoved(*desktop.MouseEvent) {}
func (b *rollBar) MouseOut()                      { b.hovered = false; b.Refresh() }

func (b *rollBar) CreateRenderer() fyne.WidgetRenderer {
	r := &rollBarRenderer{b: b, thumb: canvas.NewRectangle(nil)}
	r.Refresh()
	return r
}

type rollBarRenderer struct {
	b     *rollBar
	thumb *canvas.Rectangle
}

func (r *rollBarRenderer) Layout(size fyne.Size) {
	w := float32(4)
	if r.b.hovered {
		w = 7
	}
	r.thumb.CornerRadius = w / 2
	r.thumb.Move(fyne.NewPos(size.Width-w-3, 2))
	r.thumb.Resize(fyne.NewSize(w, max(size.Height-4, 0)))
}

func (r *rollBarRenderer) MinSize() fyne.Size { return fyne.Size{} }

func (r *rollBarRenderer) Refresh() {
	r.thumb.FillColor = theme.Color(theme.ColorNameScrollBar)
	r.Layout(r.b.Size())
	r.thumb.Refresh()
}

func (r *rollBarRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.thumb} }
func (r *rollBarRenderer) Destroy()                     {}
