package section

import (
	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// Unmark removes the mark from all views of the section.
func (s *Section) Unmark() {
	if s.table != nil {
		s.table.Mark(-1)
	}
	if s.Tree != nil {
		s.Tree.Mark(nil)
	}
	if s.text != nil {
		s.text.mark(0, 0)
	}
}

// Mark shows the initial view of the section, and marks a place in it. It reports whether the
// place exists.
func (s *Section) Mark(p view.Place) bool {
	for s.views[0] != s.first {
		s.nextView()
	}
	switch s.first {
	case asTable:
		return s.table.Mark(p.Row)
	case asTree:
		return s.Tree.Mark(p.Path)
	default:
		return s.text.mark(p.From, p.To)
	}
}

// Marked returns the object that contains the mark, and the distance of the mark from the top of
// the object.
func (s *Section) Marked() (o fyne.CanvasObject, down float32) {
	switch s.views[0] {
	case asTable:
		return s.table.Marked()
	case asTree:
		return s.Tree.Marked()
	default:
		return s.text.marked()
	}
}
