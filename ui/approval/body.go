package approval

import "goated/ui/kit"

// leastHeight is the minimal height of the body of a card.
const leastHeight = 120

// page scrolls a body by a number of pages. It reports whether it scrolled.
func page(body *kit.Bounded, pages float32) bool {
	s := body.Scroll
	if body.Root.Objects[0] != s.Root {
		return false
	}
	before := s.Scroll.Offset.Y
	s.Scroll.By(pages * 0.85 * s.Scroll.Size().Height)
	return s.Scroll.Offset.Y != before
}
