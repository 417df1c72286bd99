package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// sidebarWidth is fixed: titles are cut to fit it.
const sidebarWidth = 260

// A sidebar lists the conversations, and what a search finds in them.
type sidebar struct {
	root   *fyne.Container
	roster *roster
	finder *finder

	fresh    *button
	more     *button // what can be done with conversations that are not there yet; nil: nothing
	settings *button
	help     *button

	OnNew      func()
	OnMore     func(at fyne.Position)
	OnSettings func()
	OnHelp     func()
}

// newSidebar makes one. kept says that there is a history, which can be searched.
func newSidebar(c *clock, foot string, kept bool) *sidebar {
	s := &sidebar{roster: newRoster(c), finder: newFinder(c)}
	mark := newMark()
	word := newLabel("goated", 18, colorText).strong()
	s.fresh = newButton(outline, "plus", "New chat", func() {
		if s.OnNew != nil {
			s.OnNew()
		}
	})
	s.fresh.wide = true
	s.more = newButton(ghost, "more", "", func() {
		if s.OnMore != nil {
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.more)
			s.OnMore(at.AddXY(0, s.more.Size().Height+4))
		}
	}).small()
	gap := newLabel("", 12, colorFaint).elided()
	top := inset(margin{17, 0, 15, 8}, horizontal(9, gap, sized(26, 26, mark), inset(margin{0, 0, 3, 0}, word), gap, s.more))
	head := vertical(0, top, s.fresh, inset(margin{8, 0, 6, 0}, s.finder.field))
	s.more.Hidden = !kept
	if !kept {
		head = vertical(0, top, s.fresh, sized(1, 10, newPanel(colorNone, colorNone, 0)))
	}
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
	s.finder.OnShow = func(on bool) {
		s.roster.root.Hidden = on
		s.root.Layout.Layout(s.root.Objects, s.root.Size())
		s.root.Refresh()
	}
	s.root = container.New(edges{top: head, bottom: note, side: 12}, newPanel(colorSidebar, colorNone, 0), head, s.roster.root, s.finder.page, note)
	return s
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
		default: // what scrolls has its bar in the margin
			place(o, l.side, top, w+rackBar, max(size.Height-top-bottom, 0))
		}
	}
}

func (l edges) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(sidebarWidth, 200) }
