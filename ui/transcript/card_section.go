package transcript

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
	card *Card

	views          []sectionView // the available views; the first is shown
	first          sectionView   // the view that is shown at first
	text           *verbatim
	Tree           *jsonview.Tree
	table          *table.Table
	title          *kit.Label
	as, fold, open *kit.Button
	wide           []fyne.CanvasObject // of a table: shown if the card is wide enough
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

func (c *Card) NewSection(p view.Part) *Section {
	s := &Section{part: p, card: c, slot: container.New(kit.Margin{})}
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
	copied := kit.NewButton(kit.Ghost, "copy", "Copy", func() { c.owner.copy(p.Text) }).Small()
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
	s.card.moved()
}

func (s *Section) draw() {
	var content fyne.CanvasObject
	switch s.views[0] {
	case asTable:
		if s.table == nil {
			s.table = table.New(s.part.Grid)
			s.table.OnPast = s.past
			s.table.OnCopy = s.card.owner.copy
			s.table.OnResize = func() { s.name(); s.card.moved() }
		}
		content = kit.Inset(kit.Margin{Top: 0, Right: 2, Bottom: 4, Left: 2}, s.table.Root)
	case asTree:
		if s.Tree == nil {
			s.Tree = jsonview.NewTree(view.NewTree(*s.part.Root), s.card.owner.Actions.Runner)
			s.Tree.OnOverscroll = s.past
			s.Tree.OnCopy = s.card.owner.copy
			s.Tree.OnFold = func() { s.name(); s.card.moved() }
		}
		content = kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 8, Left: 0}, s.Tree.Root)
	default:
		shown, _ := view.Clip(s.part.Text, view.CardBytes, view.CardLines)
		s.text = newVerbatim(shown, s.past)
		content = s.text.root
	}
	s.slot.Objects = []fyne.CanvasObject{kit.Vertical(0, content, s.rest())}
	s.name()
}

// past scrolls the conversation at the end of an inner list.
func (s *Section) past(e *fyne.ScrollEvent) { s.card.owner.View.Scroll.Scroll.Scrolled(e) }

// name sets the captions of the buttons and hides those without an effect.
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

// rest describes the part that is not shown and offers to show it.
func (s *Section) rest() fyne.CanvasObject {
	_, note := view.Clip(s.part.Text, view.CardBytes, view.CardLines)
	if note == "" {
		return kit.Vertical(0)
	}
	note = fmt.Sprintf("%s. Copy copies all of it.", note)
	if s.views[0] == asTable {
		return kit.Vertical(0) // the table has all rows, and Open beside it
	}
	if s.views[0] != asText {
		note = ""
	}
	text := kit.NewText(note, 12, 18, kit.ColorMuted)
	all := kit.NewButton(kit.Outline, "external", fmt.Sprintf("Show all (%s)", format.Size(int64(len(s.part.Raw)))), s.whole).Small()
	return kit.Vertical(0, kit.NewLine(), kit.Inset(kit.Margin{Top: 8, Right: 8, Bottom: 8, Left: 14}, newRow(10, text, text, all)))
}

// newRow places objects side by side. If text is not among them, newRow adds it
// as the last.
func newRow(gap float32, text *kit.Paragraph, objects ...fyne.CanvasObject) *fyne.Container {
	for _, o := range objects {
		if o == fyne.CanvasObject(text) {
			return kit.Horizontal(gap, text, objects...)
		}
	}
	return container.New(kit.Row{Gap: gap, Flex: text, Top: true}, append(objects, text)...)
}
