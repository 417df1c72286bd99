package approval

import (
	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// The height of a card besides its body, with the gaps around it, and the least height of
// the body.
const (
	frameHeight = 52 + 62 + 60
	leastHeight = 120
)

// newBody bounds the body of a card, so that its head and its buttons stay visible. room
// returns the height that the card may take; nil: any. changed runs when the end of the body
// comes into sight; it may be nil.
func newBody(content fyne.CanvasObject, room func() float32, changed func()) *kit.Bounded {
	return kit.NewBounded(content, func() float32 {
		if room == nil || room() <= 0 {
			return 0
		}
		return max(room()-frameHeight, leastHeight)
	}, changed)
}

// page scrolls a body by this many pages, and reports whether it moved.
func page(body *kit.Bounded, pages float32) bool {
	s := body.Scroll
	if body.Root.Objects[0] != s.Root {
		return false
	}
	before := s.Scroll.Offset.Y
	s.Scroll.By(pages * 0.85 * s.Scroll.Size().Height)
	return s.Scroll.Offset.Y != before
}
