package transcript

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/section"
	"goated/ui/view"
)

// reveal marks a place in an open card and returns its distance from the top of the card. The
// card must be in the window.
func (c *Card) reveal(p view.Place) float32 {
	c.unmark()
	var s *section.Section
	var o fyne.CanvasObject
	switch {
	case p.Part == view.AtArguments:
		s, o = c.details.arguments, c.details.given
	case p.Part >= 0 && p.Part < len(c.details.results):
		s, o = c.details.sections[p.Part], c.details.results[p.Part]
	}
	if o == nil {
		c.Flash.light(kit.ColorHere)
		return 0
	}
	down := float32(0)
	if s == nil || !s.Mark(p) {
		c.Flash.light(kit.ColorHere)
	} else {
		o, down = s.Marked()
	}
	driver := fyne.CurrentApp().Driver()
	return driver.AbsolutePositionForObject(o).Y - driver.AbsolutePositionForObject(c.root).Y + down
}

// unmark removes the mark that reveal set.
func (c *Card) unmark() {
	for _, s := range append(c.details.sections[:len(c.details.sections):len(c.details.sections)], c.details.arguments) {
		if s != nil {
			s.Unmark()
		}
	}
}
