package kit

import (
	"fyne.io/fyne/v2"
)

// ScrollIntoView scrolls the scrollers around o until part is visible. part is o itself or an
// object within it. Fyne does not scroll when it focuses an object outside the viewport.
func ScrollIntoView(o, part fyne.CanvasObject) {
	driver := fyne.CurrentApp().Driver()
	c := CanvasOf(o)
	if c == nil {
		return
	}
	root := c.Content()
	if top := c.Overlays().Top(); top != nil {
		root = top
	}
	for _, s := range scrollersAround(root, o, nil) {
		const room = 12
		at := driver.AbsolutePositionForObject(part).Y - driver.AbsolutePositionForObject(s).Y
		by := float32(0)
		switch bottom := at + part.Size().Height + room; {
		case at < room:
			by = at - room
		case bottom > s.Size().Height:
			by = min(bottom-s.Size().Height, at-room)
		}
		if by == 0 {
			continue
		}
		// Fyne calls OnScrolled only for actions of the user.
		s.ScrollToOffset(s.Offset.AddXY(0, by))
		if s.OnScrolled != nil {
			s.OnScrolled(s.Offset)
		}
	}
}

// scrollersAround returns the scrollers between root and o, innermost first, followed by outer.
// It returns nil if root does not contain o.
func scrollersAround(root, o fyne.CanvasObject, outer []*Scroll) []*Scroll {
	switch v := root.(type) {
	case *Scroll:
		return scrollersAround(v.Content, o, append([]*Scroll{v}, outer...))
	case *fyne.Container:
		for _, child := range v.Objects {
			if child == o {
				return outer
			}
			if child.Visible() {
				if found := scrollersAround(child, o, outer); found != nil {
					return found
				}
			}
		}
	}
	return nil
}

// step moves the focus to the next or the previous control if that control is a tappable too.
func (t *Tappable) step(forward bool) {
	c := CanvasOf(t)
	if c == nil || t.OnStep != nil && t.OnStep(forward) {
		return
	}
	move := c.FocusPrevious
	if forward {
		move = c.FocusNext
	}
	move()
	if _, ok := c.Focused().(*Tappable); !ok {
		c.Focus(t)
	}
}
