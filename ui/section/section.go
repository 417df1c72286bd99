// Package section draws one text of a card as a table, a tree or plain text, and marks places in
// it.
//
// It owns which of these views is shown. Package view determines what a part contains, and the
// position of a text in it. Package section must not depend on the card or the conversation.
package section

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/jsonview"
	"goated/ui/kit"
	"goated/ui/table"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A Section is a text on a card: a table, a tree or plain text.
type Section struct {
	Root *fyne.Container
	slot *fyne.Container
	part view.Part
	host Host

	views          []sectionView // the available views; the first is shown
	first          sectionView   // the view that is initially shown
	text           *verbatim
	Tree           *jsonview.Tree
	table          *table.Table
	title          *kit.Label
	as, fold, open *kit.Button
	wide           []fyne.CanvasObject // for a table: shown if the card is wide enough
}

type sectionView int

const (
	asText sectionView = iota
	asTree
	asTable
)

func (v sectionView) String() string {
	switch v {
	case asTree:
		return "Tree"
	case asTable:
		return "Table"
	}
	return "Text"
}

// A Host contains the functions that a section calls on the page around it. Save and View may be
// nil.
type Host struct {
	kit.Runner
	Clock *kit.Clock
	Name  string // the name for a part without a name
	Copy  func(text string)
	Save  func(name string, data []byte)
	View  func(view.Part)         // shows the whole part
	Past  func(*fyne.ScrollEvent) // scrolls the page when an inner list is at its end
	Moved func()                  // runs after the height changed
}

// New returns a section of a part.
func New(p view.Part, host Host) *Section {
	s := &Section{part: p, host: host, slot: container.New(kit.Margin{})}
	if p.Grid != nil {
		s.views = append(s.views, asTable)
	}
	if p.Root != nil {
		s.views = append(s.views, asTree)
	}
	s.views = append(s.views, asText)
	s.first = s.views[0]
	s.as = kit.NewButton(kit.Ghost, "", "", s.nextView).Small()
	s.as.Hidden = len(s.views) == 1
	s.open = kit.NewButton(kit.Ghost, "", "Expand all", func() { s.Tree.OpenAll() }).Small()
	s.fold = kit.NewButton(kit.Ghost, "", "Fold all", func() { s.Tree.FoldAll() }).Small()
	s.title = kit.NewLabel(p.Title, 12, kit.ColorFaint).Elided()
	copied := kit.NewButton(kit.Ghost, "copy", "Copy", func() { host.Copy(p.Text) }).Small()
	line := []fyne.CanvasObject{s.title, s.open, s.fold, s.as, copied}
	margin := kit.Margin{Top: 4, Right: 5, Bottom: 0, Left: 14}
	if p.Grid != nil {
		s.tools()
		line = append([]fyne.CanvasObject{s.title, s.wide[0], s.open, s.fold, s.as, copied}, s.wide[1:]...)
	}
	head := kit.Inset(margin, container.New(sectionHead{kit.Row{Gap: 2, Flex: s.title}, s}, line...))
	s.Root = kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 10), kit.Margin{}, kit.Vertical(0, head, s.slot))
	s.draw()
	return s
}

// nextView shows the next view.
func (s *Section) nextView() {
	s.views = append(s.views[1:], s.views[0])
	s.draw()
	s.host.Moved()
}

func (s *Section) draw() {
	var content fyne.CanvasObject
	switch s.views[0] {
	case asTable:
		if s.table == nil {
			s.table = table.New(s.part.Grid)
			s.table.OnPast = s.host.Past
			s.table.OnCopy = s.host.Copy
			s.table.OnResize = func() { s.name(); s.host.Moved() }
		}
		content = kit.Inset(kit.Margin{Top: 0, Right: 2, Bottom: 4, Left: 2}, s.table.Root)
	case asTree:
		if s.Tree == nil {
			s.Tree = jsonview.NewTree(view.NewTree(*s.part.Root), s.host.Runner)
			s.Tree.OnOverscroll = s.host.Past
			s.Tree.OnCopy = s.host.Copy
			s.Tree.OnFold = func() { s.name(); s.host.Moved() }
		}
		content = kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 8, Left: 0}, s.Tree.Root)
	default:
		shown, _ := view.Clip(s.part.Text, view.CardBytes, view.CardLines)
		s.text = newVerbatim(shown, s.host.Past)
		content = s.text.root
	}
	s.slot.Objects = []fyne.CanvasObject{kit.Vertical(0, content, s.rest())}
	s.name()
}

// name sets the captions of the buttons, and hides buttons without an effect.
func (s *Section) name() {
	if len(s.views) > 1 {
		s.as.SetText(s.views[1].String())
	}
	if s.part.Grid != nil {
		s.title.Set(s.part.Title + " · " + tableSize(s.part.Grid, s.table))
	}
	tree := s.views[0] == asTree
	s.open.Hidden = !tree || !s.Tree.Model.Folded()
	s.fold.Hidden = !tree || !s.Tree.Model.Opened()
}

// rest describes how much is not shown, and offers to show it.
func (s *Section) rest() fyne.CanvasObject {
	_, note := view.Clip(s.part.Text, view.CardBytes, view.CardLines)
	if note == "" {
		return kit.Vertical(0)
	}
	note = fmt.Sprintf("%s. Copy copies all of it.", note)
	if s.views[0] == asTable {
		return kit.Vertical(0) // the table has all rows, and the Open button is beside it
	}
	if s.views[0] != asText {
		note = ""
	}
	text := kit.NewText(note, 12, 18, kit.ColorMuted)
	all := kit.NewButton(kit.Outline, "external", fmt.Sprintf("Show all (%s)", format.Size(int64(len(s.part.Raw)))), s.whole).Small()
	return kit.Vertical(0, kit.NewLine(), kit.Inset(kit.Margin{Top: 8, Right: 8, Bottom: 8, Left: 14}, kit.Horizontal(10, text, text, all)))
}
