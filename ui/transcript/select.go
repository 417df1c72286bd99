package transcript

import (
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
)

// A TextPos is a position in the text of a transcript: an item, one of its blocks,
// and a character of that block.
type TextPos struct{ Item, Part, At int }

func (s TextPos) before(o TextPos) bool {
	if s.Item != o.Item {
		return s.Item < o.Item
	}
	if s.Part != o.Part {
		return s.Part < o.Part
	}
	return s.At < o.At
}

// A selection is the selected text, from anchor to caret, and the pointer
// gesture that selects.
type selection struct {
	t             *Transcript
	events        *eventLayer
	anchor, caret TextPos
	whole         int           // the card or failure in which the gesture began; -1: it began in a text
	held          bool          // a gesture runs
	grip          fyne.Position // where it began
	presses       int           // consecutive presses at one place
	pressed       time.Time
	pressedAt     fyne.Position
	dragging      bool
	pointer       fyne.Position // its absolute position during a drag
	crawl         *kit.Ticker   // scrolls while the pointer is outside
}

// A mark is a range of a text view with a background colour.
type mark struct {
	from, to int
	color    fyne.ThemeColorName
}

// again is the longest time between the presses of a double press.
const again = 400 * time.Millisecond

func (s *selection) span() (from, to TextPos) {
	if s.caret.before(s.anchor) {
		return s.caret, s.anchor
	}
	return s.anchor, s.caret
}

func (s *selection) empty() bool { return s.anchor == s.caret }

// marksOf returns the marks of a text view: the selection, the matches and the
// flashes.
func (t *Transcript) marksOf(item, part int) []mark {
	found := append(t.Find.marks(item, part), t.Flashes.marks(item, part)...)
	from, to := t.Selection.span()
	if t.Selection.empty() || item < from.Item || item > to.Item {
		return found
	}
	m := mark{0, 1 << 30, theme.ColorNameSelection}
	here := TextPos{item, part, 0}
	switch {
	case here.before(TextPos{from.Item, from.Part, 0}), (TextPos{to.Item, to.Part, 0}).before(here):
		return found
	}
	if item == from.Item && part == from.Part {
		m.from = from.At
	}
	if item == to.Item && part == to.Part {
		m.to = to.At
	}
	return append([]mark{m}, found...)
}

// Mark selects the text between two spots.
func (s *selection) Mark(anchor, caret TextPos) {
	if s.anchor == anchor && s.caret == caret {
		return
	}
	s.anchor, s.caret = anchor, caret
	s.t.redraw()
}

func (s *selection) Deselect() { s.Mark(TextPos{}, TextPos{}) }

// redraw draws the existing text views after their marks changed.
func (t *Transcript) redraw() {
	for _, p := range t.View.TextViews() {
		p.Refresh()
	}
	for i := t.View.Made[0]; i < min(t.View.Made[1], len(t.View.Rows)); i++ {
		t.tint(i)
	}
	t.View.repaint()
}

// TextViews returns the text views that exist.
func (v *viewport) TextViews() []*TextView {
	var out []*TextView
	for i := v.Made[0]; i < min(v.Made[1], len(v.Rows)); i++ {
		switch b := v.Rows[i].Block.(type) {
		case *Bubble:
			if !b.keep() {
				out = append(out, b.Text)
			}
		case *queued:
			if !b.keep() {
				out = append(out, b.text)
			}
		case *remark:
			out = append(out, b.text)
		case *thought:
			if b.open {
				out = append(out, b.text)
			}
		case *Answer:
			for k := b.shown[0]; k < b.shown[1]; k++ {
				if p := b.TextViews[k]; p != nil {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// spotAt returns the spot nearest to an absolute position.
func (s *selection) spotAt(pos fyne.Position) TextPos {
	var best *TextView
	var rel fyne.Position
	nearest := float32(0)
	driver := fyne.CurrentApp().Driver()
	for _, p := range s.t.View.TextViews() {
		at := driver.AbsolutePositionForObject(p)
		d := max(at.Y-pos.Y, pos.Y-at.Y-p.Size().Height, 0)
		if best == nil || d < nearest {
			best, nearest, rel = p, d, pos.Subtract(at)
		}
	}
	if best == nil {
		return TextPos{}
	}
	switch {
	case rel.Y < 0 && nearest > 0:
		return TextPos{best.item, best.Part, 0}
	case rel.Y > best.Size().Height && nearest > 0:
		return TextPos{best.item, best.Part, utf8.RuneCountInString(best.Block.Text())}
	}
	return TextPos{best.item, best.Part, best.index(rel)}
}

// wholeAt returns the card or the failure at a position, which is selected as a whole; -1:
// there is none.
func (s *selection) wholeAt(pos fyne.Position) int {
	driver := fyne.CurrentApp().Driver()
	for i := s.t.View.Made[0]; i < min(s.t.View.Made[1], len(s.t.View.Rows)); i++ {
		switch s.t.View.Rows[i].Block.(type) {
		case *Card, *failure:
			o := s.t.View.Rows[i].Block.Object()
			if y := pos.Y - driver.AbsolutePositionForObject(o).Y; y >= 0 && y <= o.Size().Height {
				return i
			}
		}
	}
	return -1
}

// reached returns the end of a selection that is dragged to a position.
func (s *selection) reached(pos fyne.Position) TextPos {
	switch i := s.wholeAt(pos); {
	case i < 0:
		return s.spotAt(pos)
	case i < s.anchor.Item:
		return TextPos{i, 0, 0}
	default:
		return TextPos{i, 0, 1 << 30}
	}
}

// begin takes the focus and returns where a gesture at a position begins.
func (s *selection) begin(pos fyne.Position) TextPos {
	if c := fyne.CurrentApp().Driver().CanvasForObject(s.events); c != nil {
		s.events.held = true
		c.Focus(s.events)
	}
	s.held, s.grip, s.whole = true, pos, s.wholeAt(pos)
	if s.whole >= 0 {
		return TextPos{s.whole, 0, 0}
	}
	return s.spotAt(pos)
}

// press starts a selection, or extends it with Shift. A second press selects the
// word, a third the block.
func (s *selection) press(e *desktop.MouseEvent) {
	at := s.begin(e.AbsolutePosition)
	if e.Button != desktop.MouseButtonPrimary {
		s.held = false
		return
	}
	now := time.Now()
	if now.Sub(s.pressed) < again && near(s.pressedAt, e.AbsolutePosition) {
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
		s.Mark(at, TextPos{s.whole, 0, 1 << 30})
	default:
		text := []rune(s.t.View.parts(at.Item)[at.Part].Text())
		from, to := 0, len(text)
		if s.presses == 2 {
			from, to = wordAround(text, at.At)
		}
		s.Mark(TextPos{at.Item, at.Part, from}, TextPos{at.Item, at.Part, to})
	}
}

// wordAround returns the word at a position, or the single character.
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

// drag extends the selection from the place of the press to the pointer. Outside the
// visible part it scrolls, faster with the distance.
func (s *selection) drag(e *fyne.DragEvent) {
	if !s.held { // the head of a card and its buttons take the press for themselves
		at := s.begin(e.AbsolutePosition.Subtract(e.Dragged))
		s.Mark(at, at)
	}
	s.pointer, s.dragging = e.AbsolutePosition, true
	s.extend()
	if s.crawl == nil && s.outside() != 0 {
		s.crawl = s.t.clock.Add(1, s.crawlOn)
	}
}

// near reports whether two positions are one for a hand that presses.
func near(a, b fyne.Position) bool {
	d := a.Subtract(b)
	return d.X*d.X+d.Y*d.Y < 16
}

// extend selects up to the pointer. A card or a failure is selected as a whole, unless the
// hand only trembled.
func (s *selection) extend() {
	if s.whole >= 0 && near(s.grip, s.pointer) {
		return
	}
	anchor, caret := s.anchor, s.reached(s.pointer)
	if s.whole >= 0 {
		anchor = TextPos{s.whole, 0, 0}
		if caret.before(anchor) {
			anchor.At = 1 << 30
		}
	}
	s.Mark(anchor, caret)
}

// outside is the distance of the pointer above (negative) or below the visible
// part.
func (s *selection) outside() float32 {
	top := fyne.CurrentApp().Driver().AbsolutePositionForObject(s.t.View.Scroll.Root).Y
	return min(s.pointer.Y-top, 0) + max(s.pointer.Y-top-s.t.View.Scroll.Root.Size().Height, 0)
}

func (s *selection) crawlOn() {
	d := s.outside()
	if d == 0 || !s.dragging {
		s.stopCrawl()
		return
	}
	s.t.View.Scroll.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -max(min(d*2, 240), -240))})
	s.extend()
}

func (s *selection) stopCrawl() {
	if s.crawl != nil {
		s.t.clock.Remove(s.crawl)
		s.crawl = nil
	}
}

func (s *selection) dragged() {
	s.held = false
	s.stopCrawl()
}

// release ends a press. A press on a link without a drag opens the link.
func (s *selection) release(e *desktop.MouseEvent) {
	s.dragged()
	if e.Button == desktop.MouseButtonPrimary && !s.dragging && s.presses == 1 && s.empty() && s.t.Overlay.link != "" {
		s.t.open(s.t.Overlay.link)
	}
}

// All selects the whole conversation.
func (s *selection) All() {
	if len(s.t.View.Items) == 0 {
		return
	}
	s.Mark(TextPos{}, TextPos{len(s.t.View.Items) - 1, 1 << 30, 0})
}
