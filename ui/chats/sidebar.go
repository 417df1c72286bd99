package chats

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/searchfield"
	"goated/ui/virtual"
)

// SidebarWidth is the fixed width of the sidebar. Longer titles are truncated.
const SidebarWidth = 260

// A sidebar lists the conversations, or the results of a history search.
type sidebar struct {
	Root   *fyne.Container
	List   *convList
	Search *searchfield.Field

	pages    *fyne.Container // the buttons that open pages
	fresh    *kit.Button
	More     *kit.Button // the menu for all conversations; hidden without a history
	Settings *kit.Button
	Help     *kit.Button
	Fold     *kit.Button

	OnNew      func()
	OnMore     func(at fyne.Position)
	OnSettings func()
	OnHelp     func()
	OnFold     func()
}

// Add adds a button that opens a page, above the button for the settings, and returns it.
func (s *sidebar) Add(icon, title string, open func()) *kit.Button {
	b := kit.NewButton(kit.Ghost, icon, title, open)
	b.Wide = true
	s.pages.Add(kit.Sized(1, 34, b))
	return b
}

// Reveal shows or hides the button for a page.
func (s *sidebar) Reveal(b *kit.Button, on bool) {
	for _, o := range s.pages.Objects {
		if c, ok := o.(*fyne.Container); ok && len(c.Objects) > 0 && c.Objects[0] == fyne.CanvasObject(b) {
			c.Hidden = !on
		}
	}
}

// newSidebar returns a sidebar. kept adds the search and the menu, which need a history.
func newSidebar(c *kit.Clock, kept bool) *sidebar {
	s := &sidebar{List: newConvList(c), Search: searchfield.New(c, SidebarWidth)}
	mark := kit.NewLogo()
	word := kit.NewLabel("goated", 18, kit.ColorText).Strong()
	s.fresh = kit.NewButton(kit.Outline, "plus", "New chat", func() {
		if s.OnNew != nil {
			s.OnNew()
		}
	})
	s.fresh.Wide = true
	s.More = kit.NewButton(kit.Ghost, "more", "", func() {
		if s.OnMore != nil {
			at := kit.PositionOf(s.More)
			s.OnMore(at.AddXY(0, s.More.Size().Height+4))
		}
	}).Small()
	s.Fold = kit.NewButton(kit.Ghost, "sidebar", "", func() {
		if s.OnFold != nil {
			s.OnFold()
		}
	}).Small()
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	top := kit.Inset(kit.Margin{Top: 17, Right: 0, Bottom: 15, Left: 8}, kit.Horizontal(9, gap, kit.Sized(26, 26, mark), kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 3, Left: 0}, word), gap, s.More, s.Fold))
	head := kit.Vertical(0, top, s.fresh, kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 6, Left: 0}, s.Search.Root))
	s.More.Hidden = !kept
	if !kept {
		head = kit.Vertical(0, top, s.fresh, kit.Sized(1, 10, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)))
	}
	s.pages = kit.Vertical(0)
	s.Settings = kit.NewButton(kit.Ghost, "settings", "Settings", func() {
		if s.OnSettings != nil {
			s.OnSettings()
		}
	})
	s.Settings.Wide = true
	s.Help = kit.NewButton(kit.Ghost, "keyboard", "", func() {
		if s.OnHelp != nil {
			s.OnHelp()
		}
	})
	note := kit.Vertical(0, kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 8, Left: 0}, s.pages),
		kit.Inset(kit.Margin{Top: 0, Right: 12, Bottom: 8, Left: 12}, kit.NewLine()),
		kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 10, Left: 0}, kit.Horizontal(4, s.Settings, s.Settings, s.Help)))
	s.Search.On.Show = func(on bool) {
		s.List.Root.Hidden = on
		s.Root.Layout.Layout(s.Root.Objects, s.Root.Size())
		s.Root.Refresh()
	}
	s.Root = container.New(edges{top: head, bottom: note, side: 12}, kit.NewPanel(kit.ColorSidebar, kit.ColorNone, 0), head, s.List.Root, s.Search.Results, note)
	return s
}

// edges is a layout with a fixed top and a fixed bottom. The middle gets the rest. The first
// object is the background.
type edges struct {
	top, bottom fyne.CanvasObject
	side        float32
}

func (l edges) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := size.Width - 2*l.side
	top, bottom := kit.HeightOf(l.top, w), kit.HeightOf(l.bottom, w)
	for i, o := range objects {
		switch {
		case i == 0:
			kit.Place(o, 0, 0, size.Width, size.Height)
		case o == l.top:
			kit.Place(o, l.side, 0, w, top)
		case o == l.bottom:
			kit.Place(o, l.side, size.Height-bottom, w, bottom)
		default: // the scroll bar is in the margin
			kit.Place(o, l.side, top, w+virtual.VarListBar, max(size.Height-top-bottom, 0))
		}
	}
}

func (l edges) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(SidebarWidth, 200) }
