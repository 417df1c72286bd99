package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// A card shows more than this of a text to nobody: drawing it would freeze the
// window, and reading it would take all day. All of it is in the viewer.
const (
	cardBytes = 16 << 10
	cardLines = 200
)

// A section is a text on a card: as a table, as a tree, or as it is.
type section struct {
	root *fyne.Container
	slot *fyne.Container
	part view.Part
	card *card

	views          []sectionView // that there are, the shown one first
	tree           *tree
	as, fold, open *button
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

func (c *card) newSection(p view.Part) *section {
	s := &section{part: p, card: c, slot: container.New(margin{})}
	if p.Grid != nil {
		s.views = append(s.views, asTable)
	}
	if p.Root != nil {
		s.views = append(s.views, asTree)
	}
	s.views = append(s.views, asText)
	s.as = newButton(ghost, "", "", s.turn).small()
	s.as.Hidden = len(s.views) == 1
	s.open = newButton(ghost, "", "Expand all", func() { s.tree.openAll() }).small()
	s.fold = newButton(ghost, "", "Fold all", func() { s.tree.foldAll() }).small()
	title := newLabel(p.Title, 12, colorFaint).elided()
	copied := newButton(ghost, "copy", "Copy", func() { c.owner.copy(p.Text) }).small()
	head := inset(margin{4, 5, 0, 14}, horizontal(2, title, title, s.open, s.fold, s.as, copied))
	s.root = boxed(newPanel(colorSunken, colorBorder, 10), margin{}, vertical(0, head, s.slot))
	s.draw()
	return s
}

// turn shows the next of the views.
func (s *section) turn() {
	s.views = append(s.views[1:], s.views[0])
	s.draw()
	s.card.moved()
}

func (s *section) draw() {
	var content fyne.CanvasObject
	switch s.views[0] {
	case asTable:
		table, rows := newGrid(s.part.Grid)
		rows.OnPast = s.past
		content = inset(margin{0, 2, 4, 2}, table)
	case asTree:
		if s.tree == nil {
			s.tree = newTree(view.NewTree(*s.part.Root), s.card.owner.errands.runner)
			s.tree.OnPast = s.past
			s.tree.OnCopy = s.card.owner.copy
			s.tree.OnFold = func() { s.name(); s.card.moved() }
		}
		content = inset(margin{0, 0, 8, 0}, s.tree.root)
	default:
		shown, _ := view.Clip(s.part.Text, cardBytes, cardLines)
		content = newVerbatim(shown, s.past)
	}
	s.slot.Objects = []fyne.CanvasObject{vertical(0, content, s.rest())}
	s.name()
}

// past lets the wheel go on in the conversation where a list has come to its end.
func (s *section) past(e *fyne.ScrollEvent) { s.card.owner.scroll.scroll.Scrolled(e) }

// name says what the buttons would do now, and hides those that would do nothing.
func (s *section) name() {
	if len(s.views) > 1 {
		s.as.setText(s.views[1].String())
	}
	tree := s.views[0] == asTree
	s.open.Hidden = !tree || !s.tree.model.Folded()
	s.fold.Hidden = !tree || !s.tree.model.Opened()
}

// rest says what is not shown, and leads there.
func (s *section) rest() fyne.CanvasObject {
	_, note := view.Clip(s.part.Text, cardBytes, cardLines)
	if note == "" {
		return vertical(0)
	}
	note = fmt.Sprintf("%s. Copy takes all of it.", note)
	if s.views[0] != asText {
		note = ""
	}
	text := newText(note, 12, 18, colorMuted)
	all := newButton(outline, "external", fmt.Sprintf("Show all (%s)", view.Size(int64(len(s.part.Raw)))), func() {
		if s.card.owner.errands.view != nil {
			p := s.part
			if p.Name == "" {
				p.Name = s.card.item.Tool
			}
			s.card.owner.errands.view(p)
		}
	}).small()
	return vertical(0, newLine(), inset(margin{8, 8, 8, 14}, newRow(10, text, text, all)))
}

// newRow centres objects beside each other; where text is not among them it
// comes last.
func newRow(gap float32, text *prose, objects ...fyne.CanvasObject) *fyne.Container {
	for _, o := range objects {
		if o == fyne.CanvasObject(text) {
			return horizontal(gap, text, objects...)
		}
	}
	return container.New(row{gap: gap, flex: text, top: true}, append(objects, text)...)
}
