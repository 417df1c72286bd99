package transcript

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
)

// reveal marks a place in an open card and returns how far it is below the top of the
// card. The card has to be in the window.
func (c *Card) reveal(p view.Place) float32 {
	c.unmark()
	var s *Section
	var o fyne.CanvasObject
	switch {
	case p.Part == view.AtArguments:
		s, o = c.details.arguments, c.details.given
	case p.Part >= 0 && p.Part < len(c.details.results):
		s, o = c.details.sections[p.Part], c.details.results[p.Part]
	}
	if o == nil {
		c.Flash.Light(kit.ColorHere)
		return 0
	}
	down := float32(0)
	if s == nil || !s.marks(p) {
		c.Flash.Light(kit.ColorHere)
	} else {
		o, down = s.marked()
	}
	driver := fyne.CurrentApp().Driver()
	return driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(c.root).Y + down
}

// unmark removes the mark of the place that was found.
func (c *Card) unmark() {
	for _, s := range append(c.details.sections[:len(c.details.sections):len(c.details.sections)], c.details.arguments) {
		if s != nil {
			s.unmark()
		}
	}
}

// unmark removes the mark from all views of the section.
func (s *Section) unmark() {
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

// marks shows the section as it was at first, marks a place in it and reports whether
// the place is there.
func (s *Section) marks(p view.Place) bool {
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

// marked returns the object with the mark, and how far the mark is below its top.
func (s *Section) marked() (o fyne.CanvasObject, down float32) {
	switch s.views[0] {
	case asTable:
		return s.table.Marked()
	case asTree:
		return s.Tree.Marked()
	default:
		return s.text.marked()
	}
}
