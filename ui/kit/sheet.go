package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// A Sheet is a modal dialog over the page: it receives all input until it closes.
type Sheet struct {
	Root  *fyne.Container
	Page  *fyne.Container // contains the card
	Slot  *fyne.Container // contains the toasts while the sheet is on top
	Title *Label
	Body  *Scroller
	First fyne.Focusable // receives the focus when the sheet opens

	OnDrop   func(paths []string) // receives files that the user drops onto the window; may be nil
	OnAccept func()               // runs on Ctrl+Enter if no widget handles it; may be nil
	OnEscape func() bool          // runs first on Escape, and reports whether it handled the key; may be nil
	OnClose  func()               // runs on Escape, on the close button, and on a press beside the card
	Holds    func() bool          // reports whether the user entered something, and may show where; only Escape and the buttons discard it; nil: never
}

// NewSheet returns a sheet with a title, a body that scrolls if necessary, and a footer that is
// always visible. The footer may be nil.
func NewSheet(width float32, title string, body, foot fyne.CanvasObject) *Sheet {
	s := &Sheet{Slot: container.New(Margin{}), OnClose: func() {}}
	closed := func() { s.OnClose() }
	s.Title = NewLabel(title, 18, ColorText).Strong().Elided()
	head := Inset(Margin{18, 16, 8, 24}, Horizontal(12, s.Title, s.Title, NewButton(Ghost, "close", "", closed).Small()))
	s.Body = NewScroller(Inset(Margin{0, 24, 4, 24}, body))
	ground := NewPanel(ColorSurface, ColorBorder, 16)
	ground.Shadow = true
	parts := &Stacked{Head: head, Body: s.Body.Root, Foot: Sized(1, 20, NewPanel(ColorNone, ColorNone, 0))}
	if foot != nil {
		parts.Foot = Inset(Margin{14, 24, 20, 24}, foot)
	}
	inner := container.New(parts, head, s.Body.Root, parts.Foot)
	card := container.New(Margin{}, ground, NewBlocker(nil), inner)
	s.Page = container.New(&Centred{Width: width, Inner: inner, Card: card}, card)
	s.Root = container.New(Margin{}, NewPanel(ColorScrim, ColorNone, 0), NewBlocker(s.leave), s.Page, s.Slot)
	return s
}

// leave closes the sheet if it holds nothing that the user entered.
func (s *Sheet) leave() {
	if s.OnClose != nil && (s.Holds == nil || !s.Holds()) {
		s.OnClose()
	}
}

// Typed returns a function for [Sheet.Holds]. The function reports whether the text of a field
// has changed since the call of Typed.
func Typed(fields ...*Input) func() bool {
	was := make([]string, len(fields))
	for i, in := range fields {
		was[i] = in.Text
	}
	return func() bool {
		for i, in := range fields {
			if in.Text != was[i] {
				return true
			}
		}
		return false
	}
}

// InputsOf returns the inputs within an object, including hidden ones.
func InputsOf(o fyne.CanvasObject) (list []*Input) {
	switch o := o.(type) {
	case *Input:
		return []*Input{o}
	case *fyne.Container:
		for _, child := range o.Objects {
			list = append(list, InputsOf(child)...)
		}
	}
	return list
}

// Refit lays out the sheet again after its content changed.
func (s *Sheet) Refit() {
	if s.Page.Size().Width > 0 {
		s.Page.Layout.Layout(s.Page.Objects, s.Page.Size())
	}
}

// Stacked is the layout of a sheet: Body gets the height between Head and Foot.
type Stacked struct{ Head, Body, Foot fyne.CanvasObject }

func (l *Stacked) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	top, bottom := HeightOf(l.Head, size.Width), HeightOf(l.Foot, size.Width)
	Place(l.Head, 0, 0, size.Width, top)
	Place(l.Body, 0, top, size.Width, max(size.Height-top-bottom, 0))
	Place(l.Foot, 0, size.Height-bottom, size.Width, bottom)
}

func (l *Stacked) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	return HeightOf(l.Head, width) + HeightOf(l.Body, width) + HeightOf(l.Foot, width)
}

func (l *Stacked) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 100) }

// Centred is a layout that centres the card of a sheet. The card is as high as its content,
// but not higher than the window.
type Centred struct {
	Width       float32
	Top         float32 // the top of the card, regardless of its height; 0 centres the card
	Inner, Card fyne.CanvasObject
}

func (l *Centred) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := min(l.Width, size.Width-40)
	h := min(HeightOf(l.Inner, w), size.Height-48)
	top := float32(int((size.Height - h) * 0.45))
	if l.Top > 0 {
		top, h = l.Top, min(h, size.Height-l.Top-12)
	}
	Place(l.Card, float32(int((size.Width-w)/2)), top, w, h)
}

func (l *Centred) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// A Blocker receives all pointer events, so that nothing below it does.
type Blocker struct {
	widget.BaseWidget
	tapped func()
}

func NewBlocker(tapped func()) *Blocker {
	c := &Blocker{tapped: tapped}
	c.ExtendBaseWidget(c)
	return c
}

func (c *Blocker) Tapped(*fyne.PointEvent) {
	if c.tapped != nil {
		c.tapped()
	}
}

func (c *Blocker) Scrolled(*fyne.ScrollEvent)     {}
func (c *Blocker) MouseIn(*desktop.MouseEvent)    {}
func (c *Blocker) MouseMoved(*desktop.MouseEvent) {}
func (c *Blocker) MouseOut()                      {}
func (c *Blocker) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(Margin{}))
}
