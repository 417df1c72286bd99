package transcript

import (
	"time"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
)

// wholeAt returns the index of the card, closed group or failure at a position, which can only be
// selected as a whole. It returns -1 if there is none.
func (s *selection) wholeAt(pos fyne.Position) int {
	v := &s.t.View
	for i := v.Made[0]; i < min(v.Made[1], len(v.Rows)); i++ {
		var o fyne.CanvasObject
		switch b := v.Rows[i].Block.(type) {
		case *Card, *failure:
			o = b.Object()
		}
		if v.Rows[i].isHidden() && v.Rows[i].isGroupHead(i) {
			o = v.Rows[i].group.shownLine().root
		}
		if o != nil {
			if y := pos.Y - fyne.CurrentApp().Driver().AbsolutePositionForObject(o).Y; y >= 0 && y <= o.Size().Height {
				return i
			}
		}
	}
	return -1
}

// dragEnd returns the end of the selection for a drag to a position.
func (s *selection) dragEnd(pos fyne.Position) TextPos {
	switch i := s.wholeAt(pos); {
	case i < 0:
		return s.posAt(pos)
	case i < s.anchor.Item:
		return TextPos{i, 0, 0}
	default:
		return TextPos{s.t.View.Rows[i].lastItem(i), 0, 1 << 30}
	}
}

// begin takes the focus and returns the text position where a gesture begins.
func (s *selection) begin(pos fyne.Position) TextPos {
	s.events.held = true
	kit.Focus(s.events)
	s.held, s.grip, s.whole = true, pos, s.wholeAt(pos)
	if s.whole >= 0 {
		return TextPos{s.whole, 0, 0}
	}
	return s.posAt(pos)
}

// press starts a selection, or extends it with Shift. A second press selects the word, and a
// third press the block.
func (s *selection) press(e *desktop.MouseEvent) {
	at := s.begin(e.AbsolutePosition)
	if s.held = e.Button == desktop.MouseButtonPrimary; !s.held {
		return
	}
	now := time.Now()
	if now.Sub(s.pressed) < doublePressTime && isSamePress(s.pressedAt, e.AbsolutePosition) {
		s.presses++
	} else {
		s.presses = 1
	}
	s.pressed, s.pressedAt, s.dragging = now, e.AbsolutePosition, false
	switch {
	case e.Modifier&fyne.KeyModifierShift != 0:
		s.Mark(s.anchor, at)
	case s.presses == 1:
		s.Mark(at, at)
	case s.whole >= 0:
		s.Mark(at, TextPos{s.t.View.Rows[s.whole].lastItem(s.whole), 0, 1 << 30})
	default:
		text := []rune(s.t.View.parts(at.Item)[at.Part].Text())
		from, to := 0, len(text)
		if s.presses == 2 {
			from, to = wordAround(text, at.At)
		}
		s.Mark(TextPos{at.Item, at.Part, from}, TextPos{at.Item, at.Part, to})
	}
}

// wordAround returns the range of the word at a position, or of the single character.
func wordAround(text []rune, at int) (from, to int) {
	word := func(i int) bool {
		return i >= 0 && i < len(text) && (unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]) || text[i] == '_')
	}
	from, to = min(at, len(text)), min(at, len(text))
	for word(from - 1) {
		from--
	}
	for word(to) {
		to++
	}
	if from == to && to < len(text) {
		to++
	}
	return from, to
}

// drag extends the selection from the start of the gesture to the pointer. Outside the visible
// part it scrolls; the speed depends on the distance.
func (s *selection) drag(e *fyne.DragEvent) {
	if !s.held { // the head of a card and its buttons handle the press themselves
		at := s.begin(e.AbsolutePosition.Subtract(e.Dragged))
		s.Mark(at, at)
	}
	s.pointer, s.dragging = e.AbsolutePosition, true
	s.extend()
	if s.crawl == nil && s.outside() != 0 {
		s.crawl = s.t.clock.Add(1, s.autoScroll)
	}
}

// isSamePress reports whether two positions are so close that the hand has not moved intentionally.
func isSamePress(a, b fyne.Position) bool {
	d := a.Subtract(b)
	return d.X*d.X+d.Y*d.Y < 16
}

// extend extends the selection to the pointer. It selects a card or a failure as a whole, unless
// the pointer has hardly moved.
func (s *selection) extend() {
	if s.whole >= 0 && isSamePress(s.grip, s.pointer) {
		return
	}
	anchor, caret := s.anchor, s.dragEnd(s.pointer)
	if s.whole >= 0 {
		anchor = TextPos{s.whole, 0, 0}
		if caret.before(anchor) {
			anchor = TextPos{s.t.View.Rows[s.whole].lastItem(s.whole), 0, 1 << 30}
		}
	}
	s.Mark(anchor, caret)
}

// outside returns the distance of the pointer from the visible part: negative above it, positive
// below it, and 0 within it.
func (s *selection) outside() float32 {
	top := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.t.View.Scroll.Root).Y
	return min(s.pointer.Y-top, 0) + max(s.pointer.Y-top-s.t.View.Scroll.Root.Size().Height, 0)
}

func (s *selection) autoScroll() {
	d := s.outside()
	if d == 0 || !s.dragging {
		s.stopAutoScroll()
		return
	}
	s.t.View.Scroll.Scroll.By(max(min(d*2, 240), -240))
	s.extend()
}

func (s *selection) stopAutoScroll() {
	if s.crawl != nil {
		s.t.clock.Remove(s.crawl)
		s.crawl = nil
	}
}

func (s *selection) dragged() {
	s.held = false
	s.stopAutoScroll()
}

// release ends a press. If the press was on a link and the pointer did not drag, it opens the
// link.
func (s *selection) release(e *desktop.MouseEvent) {
	s.dragged()
	if e.Button == desktop.MouseButtonPrimary && !s.dragging && s.presses == 1 && s.empty() && s.t.Overlay.link != "" {
		s.t.open(s.t.Overlay.link)
	}
}
