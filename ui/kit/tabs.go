package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// The sizes of the sheet. They do not depend on the open page.
const (
	tabsWidth  = 860
	tabsHeight = 620
	tabNames   = 200 // the width of the list of names
	leastNames = 160 // in a narrow window
)

// Tabs is a sheet with several pages. The names of the pages are at the left.
type Tabs struct {
	*Sheet
	Names []*Tab
	Slots *fyne.Container // contains the open page
	foot  *fyne.Container // contains the footer of the page
	At    int             // the index of the open page; -1 for none

	OnSelect func(i int) // asks for page i; the owner calls Show
}

// A Tab is the button of one page.
type Tab struct {
	root     *fyne.Container
	Tappable *Tappable
	icon     *Icon
	name     *Label
	Count    *Label
}

// NewTabs returns tabs without an open page. Each name is an icon and a title. The object right
// appears at the right of the title; it may be nil.
func NewTabs(title, right fyne.CanvasObject, names ...[2]string) *Tabs {
	b := &Tabs{Sheet: &Sheet{Slot: container.New(Margin{})}, At: -1, Slots: container.New(Margin{}), foot: Vertical(0)}
	closed := func() {
		if b.OnClose != nil {
			b.OnClose()
		}
	}
	list := Vertical(2)
	for i, n := range names {
		m := newTab(n[0], n[1], func() { b.Select(i) })
		b.Names = append(b.Names, m)
		list.Add(m.root)
	}
	b.First = b.Names[0].Tappable
	parts := []fyne.CanvasObject{title}
	if right != nil {
		parts = append(parts, right)
	}
	parts = append(parts, NewButton(Ghost, "close", "", closed).Small())
	head := Inset(Margin{16, 16, 14, 24}, Horizontal(12, title, parts...))
	b.Body = NewScroller(Inset(Margin{20, 26, 24, 26}, b.Slots))
	column := Inset(Margin{12, 12, 12, 12}, list)
	ground := NewPanel(ColorSurface, ColorBorder, 16)
	ground.Shadow = true
	inner := container.New(&tabsLayout{head: head, names: column, page: b.Body.Root, foot: b.foot}, head, NewLine(), column, NewLine(), b.Body.Root, b.foot)
	card := container.New(Margin{}, ground, NewBlocker(nil), inner)
	b.Page = container.New(tabsFrame{}, card)
	b.Root = container.New(Margin{}, NewPanel(ColorScrim, ColorNone, 0), NewBlocker(b.leave), b.Page, b.Slot)
	return b
}

// Select opens a page.
func (b *Tabs) Select(i int) {
	b.At = i
	for j, m := range b.Names {
		if j != i && m.Tappable.focused {
			Focus(b.Names[i].Tappable) // moves the focus with the page
			b.Names[i].Tappable.byPointer = m.Tappable.byPointer
		}
	}
	for j, m := range b.Names {
		m.mark(j == i)
	}
	if b.OnSelect != nil {
		b.OnSelect(i)
	}
}

// Show makes o the open page and scrolls to its top.
func (b *Tabs) Show(o fyne.CanvasObject) { b.ShowAbove(o, nil) }

// ShowAbove is Show with a footer that stays in place while the page scrolls. The footer may be
// nil.
func (b *Tabs) ShowAbove(o, foot fyne.CanvasObject) {
	b.Slots.Objects = []fyne.CanvasObject{o}
	b.SetFoot(foot)
	b.Body.Scroll.ScrollToTop()
}

// SetFoot shows a footer below the open page; nil removes it.
func (b *Tabs) SetFoot(foot fyne.CanvasObject) {
	b.foot.Objects = nil
	if foot != nil {
		b.foot.Objects = []fyne.CanvasObject{NewLine(), Inset(Margin{12, 26, 12, 26}, foot)}
	}
	b.Refit()
}

func newTab(icon, name string, tapped func()) *Tab {
	m := &Tab{Tappable: NewTappable(9, tapped), icon: NewIcon(icon, 16, ColorMuted), name: NewLabel(name, 13, ColorMuted).Medium().Elided(), Count: NewLabel("", 12, ColorFaint)}
	inner := Inset(Margin{0, 12, 0, 12}, Horizontal(10, m.name, m.icon, m.name, m.Count))
	m.root = container.New(Fixed{fyne.NewSize(1, 36)}, m.Tappable, inner)
	return m
}

func (m *Tab) mark(on bool) {
	if on {
		m.Tappable.SetColors(ColorSelected, ColorNone)
		m.name.Paint(ColorText)
		m.icon.Set(m.icon.name, ColorAccent)
		return
	}
	m.Tappable.SetColors(ColorNone, ColorNone)
	m.name.Paint(ColorMuted)
	m.icon.Set(m.icon.name, ColorMuted)
}

// tabsLayout lays out the head, the names, the page and the footer.
type tabsLayout struct{ head, names, page, foot fyne.CanvasObject }

func (l *tabsLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	top := HeightOf(l.head, size.Width)
	names := min(tabNames, max(size.Width/3, leastNames))
	Place(l.head, 0, 0, size.Width, top)
	Place(objects[1], 0, top, size.Width, 1)
	Place(l.names, 0, top+1, names, size.Height-top-1)
	Place(objects[3], names, top+1, 1, size.Height-top-1)
	below := HeightOf(l.foot, size.Width-names-1)
	Place(l.page, names+1, top+1, size.Width-names-1, size.Height-top-1-below)
	Place(l.foot, names+1, size.Height-below, size.Width-names-1, below)
}

func (l *tabsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

// tabsFrame centres its objects and gives them the size of the sheet.
type tabsFrame struct{}

func (tabsFrame) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w, h := min(tabsWidth, size.Width-40), min(tabsHeight, size.Height-48)
	for _, o := range objects {
		Place(o, float32(int((size.Width-w)/2)), float32(int((size.Height-h)*0.45)), w, h)
	}
}

func (tabsFrame) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Section returns a section of a page: a heading, an optional remark, and objects.
func Section(title, remark string, objects ...fyne.CanvasObject) *fyne.Container {
	parts := []fyne.CanvasObject{NewLabel(title, 15, ColorText).Strong()}
	if remark != "" {
		parts = append(parts, Inset(Margin{4, 0, 0, 0}, NewText(remark, 13, 20, ColorMuted)))
	}
	parts = append(parts, Inset(Margin{12, 0, 0, 0}, Vertical(10, objects...)))
	return Vertical(0, parts...)
}

// SettingRow returns a row of a page: a title, an optional remark, and a control.
func SettingRow(title, remark string, control fyne.CanvasObject) *fyne.Container {
	words := Vertical(2, NewLabel(title, 13, ColorText).Strong().Elided())
	if remark != "" {
		words.Add(NewText(remark, 12, 18, ColorMuted))
	}
	return container.New(SideBySide{Gap: 20, Least: 150}, words, control)
}

// Segments is a control that selects one of a few options.
type Segments struct {
	Root  *fyne.Container
	spots []*Tappable
	names []*Label

	OnChoose func(i int)
}

func NewSegments(names ...string) *Segments {
	s := &Segments{}
	var cells []fyne.CanvasObject
	for i, n := range names {
		spot := NewTappable(7, func() {
			s.Set(i)
			if s.OnChoose != nil {
				s.OnChoose(i)
			}
		})
		name := NewLabel(n, 13, ColorMuted).Medium()
		name.Centre = true
		s.spots, s.names = append(s.spots, spot), append(s.names, name)
		cells = append(cells, container.New(Fixed{fyne.NewSize(name.MinSize().Width+26, 28)}, spot, name))
	}
	row := container.New(Flow{Gap: 2, Min: Horizontal(2, nil, cells...).MinSize()}, cells...)
	s.Root = Boxed(NewPanel(ColorSunken, ColorBorder, 9), Margin{3, 3, 3, 3}, row)
	return s
}

// Set marks an option as selected without calling OnChoose.
func (s *Segments) Set(on int) {
	for i := range s.spots {
		if i == on {
			s.spots[i].SetColors(ColorSurface, ColorHair)
			s.names[i].Paint(ColorText)
		} else {
			s.spots[i].SetColors(ColorNone, ColorNone)
			s.names[i].Paint(ColorMuted)
		}
	}
}
