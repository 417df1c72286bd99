package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// The size of a book. It stays the same whatever page is open.
const (
	bookWidth  = 860
	bookHeight = 620
	bookNames  = 200
)

// A book is a sheet of several pages, with their names at its left.
type book struct {
	*sheet
	names []*bookmark
	slots *fyne.Container // holds the page that is open
	at    int

	OnTurn func(i int) // wants the page at i; answers with show
}

// A bookmark is the name of one page.
type bookmark struct {
	root  *fyne.Container
	spot  *hotspot
	icon  *glyph
	name  *label
	count *label
}

// newBook makes a book without a page open yet. beside stands at the right of
// the title; it may be nil.
func newBook(title, beside fyne.CanvasObject, names ...[2]string) *book {
	b := &book{sheet: &sheet{slot: container.New(margin{})}, at: -1, slots: container.New(margin{})}
	closed := func() {
		if b.OnClose != nil {
			b.OnClose()
		}
	}
	list := vertical(2)
	for i, n := range names {
		m := newBookmark(n[0], n[1], func() { b.turn(i) })
		b.names = append(b.names, m)
		list.Add(m.root)
	}
	b.first = b.names[0].spot
	parts := []fyne.CanvasObject{title}
	if beside != nil {
		parts = append(parts, beside)
	}
	parts = append(parts, newButton(ghost, "close", "", closed).small())
	head := inset(margin{16, 16, 14, 24}, horizontal(12, title, parts...))
	b.body = newScroller(inset(margin{20, 26, 24, 26}, b.slots))
	column := inset(margin{12, 12, 12, 12}, list)
	ground := newPanel(colorSurface, colorBorder, 16)
	ground.shadow = true
	inner := container.New(&spread{head: head, names: column, page: b.body.root}, head, newLine(), column, newLine(), b.body.root)
	card := container.New(margin{}, ground, newCatch(nil), inner)
	b.page = container.New(bound{}, card)
	b.root = container.New(margin{}, newPanel(colorScrim, colorNone, 0), newCatch(closed), b.page, b.slot)
	return b
}

// turn opens a page.
func (b *book) turn(i int) {
	b.at = i
	for j, m := range b.names {
		if j != i && m.spot.focused {
			focus(b.names[i].spot) // the ring goes along
			b.names[i].spot.byPointer = m.spot.byPointer
		}
	}
	for j, m := range b.names {
		m.mark(j == i)
	}
	if b.OnTurn != nil {
		b.OnTurn(i)
	}
}

// show makes o the page that is open, from its top.
func (b *book) show(o fyne.CanvasObject) {
	b.slots.Objects = []fyne.CanvasObject{o}
	b.refit()
	b.body.scroll.ScrollToTop()
}

func newBookmark(icon, name string, tapped func()) *bookmark {
	m := &bookmark{spot: newHotspot(9, tapped), icon: newGlyph(icon, 16, colorMuted), name: newLabel(name, 13, colorMuted).medium().elided(), count: newLabel("", 12, colorFaint)}
	inner := inset(margin{0, 12, 0, 12}, horizontal(10, m.name, m.icon, m.name, m.count))
	m.root = container.New(fixed{fyne.NewSize(1, 36)}, m.spot, inner)
	return m
}

func (m *bookmark) mark(on bool) {
	if on {
		m.spot.rest(colorSelected, colorNone)
		m.name.paint(colorText)
		m.icon.set(m.icon.name, colorAccent)
		return
	}
	m.spot.rest(colorNone, colorNone)
	m.name.paint(colorMuted)
	m.icon.set(m.icon.name, colorMuted)
}

// spread is the layout of an open book.
type spread struct{ head, names, page fyne.CanvasObject }

func (l *spread) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top := heightOf(l.head, size.Width)
	names := min(float32(bookNames), size.Width/3)
	place(l.head, 0, 0, size.Width, top)
	place(objects[1], 0, top, size.Width, 1)
	place(l.names, 0, top+1, names, size.Height-top-1)
	place(objects[3], names, top+1, 1, size.Height-top-1)
	place(l.page, names+1, top+1, size.Width-names-1, size.Height-top-1)
}

func (l *spread) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

// bound is the layout of a closed size in the middle.
type bound struct{}

func (bound) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w, h := min(bookWidth, size.Width-40), min(bookHeight, size.Height-48)
	for _, o := range objects {
		place(o, float32(int((size.Width-w)/2)), float32(int((size.Height-h)*0.45)), w, h)
	}
}

func (bound) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// chapter is a part of a page: a heading, a remark on it, and what it holds.
func chapter(title, remark string, objects ...fyne.CanvasObject) *fyne.Container {
	parts := []fyne.CanvasObject{newLabel(title, 15, colorText).strong()}
	if remark != "" {
		parts = append(parts, inset(margin{4, 0, 0, 0}, newText(remark, 13, 20, colorMuted)))
	}
	parts = append(parts, inset(margin{12, 0, 0, 0}, vertical(10, objects...)))
	return vertical(0, parts...)
}

// preference is a line of a page: what it is about, and what changes it.
func preference(title, remark string, control fyne.CanvasObject) *fyne.Container {
	words := vertical(2, newLabel(title, 13, colorText).strong().elided())
	if remark != "" {
		words.Add(newText(remark, 12, 18, colorMuted))
	}
	return container.New(yielding{gap: 20, least: 150}, words, control)
}

// segments are a few choices of which one holds.
type segments struct {
	root  *fyne.Container
	spots []*hotspot
	names []*label

	OnChoose func(i int)
}

func newSegments(names ...string) *segments {
	s := &segments{}
	var cells []fyne.CanvasObject
	for i, n := range names {
		spot := newHotspot(7, func() {
			s.set(i)
			if s.OnChoose != nil {
				s.OnChoose(i)
			}
		})
		name := newLabel(n, 13, colorMuted).medium()
		name.centre = true
		s.spots, s.names = append(s.spots, spot), append(s.names, name)
		cells = append(cells, container.New(fixed{fyne.NewSize(name.MinSize().Width+26, 28)}, spot, name))
	}
	s.root = boxed(newPanel(colorSunken, colorBorder, 9), margin{3, 3, 3, 3}, horizontal(2, nil, cells...))
	return s
}

func (s *segments) set(on int) {
	for i := range s.spots {
		if i == on {
			s.spots[i].rest(colorSurface, colorEdge)
			s.names[i].paint(colorText)
		} else {
			s.spots[i].rest(colorNone, colorNone)
			s.names[i].paint(colorMuted)
		}
	}
}
