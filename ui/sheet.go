package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// A sheet lies over the page and takes all input until it is closed.
type sheet struct {
	root  *fyne.Container
	page  *fyne.Container // holds the sheet itself
	slot  *fyne.Container // where the toasts hang while the sheet is on top
	body  *scroller
	first fyne.Focusable // has the focus when the sheet opens

	OnClose func() // Escape, the cross, a press beside the sheet
}

// newSheet makes a sheet of a title, a body that scrolls where it must, and a
// foot that is always in sight. The foot may be nil.
func newSheet(width float32, title string, body, foot fyne.CanvasObject) *sheet {
	s := &sheet{slot: container.New(margin{})}
	closed := func() {
		if s.OnClose != nil {
			s.OnClose()
		}
	}
	name := newLabel(title, 18, colorText).strong().elided()
	head := inset(margin{18, 16, 8, 24}, horizontal(12, name, name, newButton(ghost, "close", "", closed).small()))
	s.body = newScroller(inset(margin{0, 24, 4, 24}, body))
	ground := newPanel(colorSurface, colorBorder, 16)
	ground.shadow = true
	parts := &stacked{head: head, body: s.body.root}
	objects := []fyne.CanvasObject{head, s.body.root}
	if foot != nil {
		parts.foot = inset(margin{14, 24, 20, 24}, foot)
		objects = append(objects, parts.foot)
	} else {
		parts.foot = sized(1, 20, newPanel(colorNone, colorNone, 0))
		objects = append(objects, parts.foot)
	}
	inner := container.New(parts, objects...)
	card := container.New(margin{}, ground, newCatch(nil), inner)
	s.page = container.New(&centred{width: width, inner: inner, card: card}, card)
	s.root = container.New(margin{}, newPanel(colorScrim, colorNone, 0), newCatch(closed), s.page, s.slot)
	return s
}

// refit lays the sheet out anew after something in it changed.
func (s *sheet) refit() {
	if s.page.Size().Width > 0 {
		s.page.Layout.Layout(s.page.Objects, s.page.Size())
	}
}

// stacked is the layout of a sheet: only its middle gives way.
type stacked struct{ head, body, foot fyne.CanvasObject }

func (l *stacked) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	top, bottom := heightOf(l.head, size.Width), heightOf(l.foot, size.Width)
	place(l.head, 0, 0, size.Width, top)
	place(l.body, 0, top, size.Width, max(size.Height-top-bottom, 0))
	place(l.foot, 0, size.Height-bottom, size.Width, bottom)
}

func (l *stacked) heightFor(_ []fyne.CanvasObject, width float32) float32 {
	return heightOf(l.head, width) + heightOf(l.body, width) + heightOf(l.foot, width)
}

func (l *stacked) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 100) }

// centred puts the sheet in the middle, as high as it needs and there is room.
type centred struct {
	width       float32
	inner, card fyne.CanvasObject
}

func (l *centred) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := min(l.width, size.Width-40)
	h := min(heightOf(l.inner, w), size.Height-48)
	place(l.card, float32(int((size.Width-w)/2)), float32(int((size.Height-h)*0.45)), w, h)
}

func (l *centred) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// A catch takes what the pointer does, so that nothing under it sees it.
type catch struct {
	widget.BaseWidget
	tapped func()
}

func newCatch(tapped func()) *catch {
	c := &catch{tapped: tapped}
	c.ExtendBaseWidget(c)
	return c
}

func (c *catch) Tapped(*fyne.PointEvent) {
	if c.tapped != nil {
		c.tapped()
	}
}

func (c *catch) Scrolled(*fyne.ScrollEvent)     {}
func (c *catch) MouseIn(*desktop.MouseEvent)    {}
func (c *catch) MouseMoved(*desktop.MouseEvent) {}
func (c *catch) MouseOut()                      {}
func (c *catch) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(margin{}))
}
