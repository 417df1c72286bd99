package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"goated/assets"
)

// sidebarWidth is fixed: titles are cut to fit it.
const sidebarWidth = 260

// A sidebar lists the conversations.
type sidebar struct {
	root  *fyne.Container
	list  *fyne.Container
	scrol *scroller
	rows  []*tab

	settings *button
	help     *button

	OnNew      func()
	OnSelect   func(i int)
	OnMenu     func(i int, at fyne.Position) // the other button of the mouse; nil: none
	OnSettings func()
	OnHelp     func()
}

func newSidebar(foot string) *sidebar {
	s := &sidebar{list: vertical(2)}
	s.scrol = newScroller(s.list)
	mark := widget.NewIcon(fyne.NewStaticResource("goated.svg", assets.IconSVG))
	word := newLabel("goated", 18, colorText).strong()
	fresh := newButton(outline, "plus", "New chat", func() {
		if s.OnNew != nil {
			s.OnNew()
		}
	})
	fresh.wide = true
	head := vertical(0,
		inset(margin{18, 0, 16, 8}, horizontal(9, nil, sized(26, 26, mark), inset(margin{0, 0, 3, 0}, word))),
		fresh,
		inset(margin{20, 0, 6, 12}, newLabel("CONVERSATIONS", 11, colorFaint).medium()),
	)
	s.settings = newButton(ghost, "settings", "Settings", func() {
		if s.OnSettings != nil {
			s.OnSettings()
		}
	})
	s.settings.wide = true
	s.help = newButton(ghost, "keyboard", "", func() {
		if s.OnHelp != nil {
			s.OnHelp()
		}
	})
	note := vertical(0, inset(margin{10, 12, 8, 12}, newText(foot, 11, 16, colorFaint)),
		inset(margin{0, 0, 10, 0}, horizontal(4, s.settings, s.settings, s.help)))
	s.root = container.New(edges{top: head, bottom: note, side: 12}, newPanel(colorSidebar, colorNone, 0), head, s.scrol.root, note)
	return s
}

// A heading is what the list shows of one conversation.
type heading struct {
	title   string
	when    string // how long ago, such as "2h"; may be empty
	running bool
	unread  bool
	pinned  bool
}

// show makes the list that of headings, newest first.
func (s *sidebar) show(c *clock, headings []heading, selected int) {
	for len(s.rows) < len(headings) {
		i := len(s.rows)
		t := newTab(c, func() {
			if s.OnSelect != nil {
				s.OnSelect(i)
			}
		})
		if s.OnMenu != nil {
			t.spot.OnMenu = func(at fyne.Position) { s.OnMenu(i, at) }
		}
		s.rows = append(s.rows, t)
		s.list.Objects = append([]fyne.CanvasObject{t.root}, s.list.Objects...)
	}
	for i := len(s.rows) - 1; i >= len(headings); i-- {
		s.rows[i].spin.turn(false)
		s.rows, s.list.Objects = s.rows[:i], s.list.Objects[1:]
	}
	for i, h := range headings {
		s.rows[i].set(h, i == selected)
	}
	s.list.Refresh()
	s.scrol.refit()
}

// edges is a page with something at its top and bottom and the rest between;
// its first object is the ground.
type edges struct {
	top, bottom fyne.CanvasObject
	side        float32
}

func (l edges) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := size.Width - 2*l.side
	top, bottom := heightOf(l.top, w), heightOf(l.bottom, w)
	for i, o := range objects {
		switch {
		case i == 0:
			place(o, 0, 0, size.Width, size.Height)
		case o == l.top:
			place(o, l.side, 0, w, top)
		case o == l.bottom:
			place(o, l.side, size.Height-bottom, w, bottom)
		default:
			place(o, l.side, top, w, max(size.Height-top-bottom, 0))
		}
	}
}

func (l edges) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(sidebarWidth, 200) }

// A tab is one conversation in the sidebar.
type tab struct {
	root  *fyne.Container
	spot  *hotspot
	title *label
	when  *label
	pin   *glyph
	mark  *fyne.Container // it is unread
	spin  *spinner
}

func newTab(c *clock, tapped func()) *tab {
	t := &tab{
		spot: newHotspot(9, tapped), title: newLabel("", 13, colorMuted).elided(), spin: newSpinner(c),
		when: newLabel("", 11, colorFaint), pin: newGlyph("pin", 13, colorFaint),
		mark: sized(8, 8, newPanel(colorAccent, colorNone, 4)),
	}
	inner := inset(margin{0, 10, 0, 12}, horizontal(6, t.title, t.pin, t.title, t.when, t.mark, t.spin))
	t.root = container.New(fixed{fyne.NewSize(1, 36)}, t.spot, inner)
	return t
}

func (t *tab) set(h heading, selected bool) {
	t.title.set(h.title)
	t.spin.turn(h.running)
	t.when.set(h.when)
	t.when.Hidden = h.when == "" || h.running
	t.pin.Hidden = !h.pinned
	t.mark.Hidden = !h.unread || h.running
	if t.title.style.Bold != h.unread {
		t.title.style.Bold = h.unread
		t.title.Refresh()
	}
	t.root.Layout.Layout(t.root.Objects, t.root.Size())
	if selected {
		t.spot.rest(colorSelected, colorNone)
		t.title.paint(colorText)
	} else {
		t.spot.rest(colorNone, colorNone)
		t.title.paint(colorMuted)
	}
}
