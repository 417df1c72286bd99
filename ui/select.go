package ui

import (
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
)

// A spot is a place in the text of a transcript: an item, one of its blocks, and
// a character of that.
type spot struct{ item, part, at int }

func (s spot) before(o spot) bool {
	if s.item != o.item {
		return s.item < o.item
	}
	if s.part != o.part {
		return s.part < o.part
	}
	return s.at < o.at
}

// A selection is the text that is marked, from anchor to caret.
type selection struct {
	anchor, caret spot
	presses       int // in a row, at one place
	pressed       time.Time
	pressedAt     fyne.Position
	dragging      bool
	pointer       fyne.Position // where the pointer is while it drags
	crawl         *kit.Beat     // scrolls while it is held outside
}

// A mark is a range of a passage with a ground of its own.
type mark struct {
	from, to int
	color    fyne.ThemeColorName
}

// again is the time within which a press belongs to the one before.
const again = 400 * time.Millisecond

func (s *selection) span() (from, to spot) {
	if s.caret.before(s.anchor) {
		return s.caret, s.anchor
	}
	return s.anchor, s.caret
}

func (s *selection) empty() bool { return s.anchor == s.caret }

// marksOf are the marks of a passage.
func (t *transcript) marksOf(item, part int) []mark {
	found := append(t.finding.marks(item, part), t.signs(item, part)...)
	from, to := t.span()
	if t.selection.empty() || item < from.item || item > to.item {
		return found
	}
	m := mark{0, 1 << 30, theme.ColorNameSelection}
	here := spot{item, part, 0}
	switch {
	case here.before(spot{from.item, from.part, 0}), (spot{to.item, to.part, 0}).before(here):
		return found
	}
	if item == from.item && part == from.part {
		m.from = from.at
	}
	if item == to.item && part == to.part {
		m.to = to.at
	}
	return append([]mark{m}, found...)
}

// mark selects from one spot to another.
func (t *transcript) mark(anchor, caret spot) {
	if t.anchor == anchor && t.caret == caret {
		return
	}
	t.anchor, t.caret = anchor, caret
	t.redraw()
}

func (t *transcript) deselect() { t.mark(spot{}, spot{}) }

// redraw draws the passages that are in sight, after their marks have changed.
func (t *transcript) redraw() {
	for _, p := range t.passages() {
		p.Refresh()
	}
	for i := t.made[0]; i < min(t.made[1], len(t.rows)); i++ {
		t.tint(i)
	}
	t.repaint()
}

// passages are those that exist.
func (t *transcript) passages() []*passage {
	var out []*passage
	for i := t.made[0]; i < min(t.made[1], len(t.rows)); i++ {
		switch b := t.rows[i].block.(type) {
		case *bubble:
			out = append(out, b.text)
		case *remark:
			out = append(out, b.text)
		case *thought:
			if b.open {
				out = append(out, b.text)
			}
		case *answer:
			for k := b.shown[0]; k < b.shown[1]; k++ {
				if p := b.passages[k]; p != nil {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// spotAt is the place in the text that is nearest to a position in the window.
func (t *transcript) spotAt(pos fyne.Position) spot {
	var best *passage
	var rel fyne.Position
	nearest := float32(0)
	driver := fyne.CurrentApp().Driver()
	for _, p := range t.passages() {
		at := driver.AbsolutePositionForObject(p)
		d := max(at.Y-pos.Y, pos.Y-at.Y-p.Size().Height, 0)
		if best == nil || d < nearest {
			best, nearest, rel = p, d, pos.Subtract(at)
		}
	}
	if best == nil {
		return spot{}
	}
	switch {
	case rel.Y < 0 && nearest > 0:
		return spot{best.item, best.part, 0}
	case rel.Y > best.Size().Height && nearest > 0:
		return spot{best.item, best.part, utf8.RuneCountInString(best.block.Text())}
	}
	return spot{best.item, best.part, best.index(rel)}
}

// reached is how far a selection goes that is drawn to a position: a card or a
// failure is marked as a whole.
func (t *transcript) reached(pos fyne.Position) spot {
	driver := fyne.CurrentApp().Driver()
	for i := t.made[0]; i < min(t.made[1], len(t.rows)); i++ {
		switch t.rows[i].block.(type) {
		case *card, *failure:
			o := t.rows[i].block.object()
			if y := pos.Y - driver.AbsolutePositionForObject(o).Y; y >= 0 && y <= o.Size().Height {
				if i < t.anchor.item {
					return spot{i, 0, 0}
				}
				return spot{i, 0, 1 << 30}
			}
		}
	}
	return t.spotAt(pos)
}

// press begins a selection, or with Shift goes on with it. A second press takes
// the word, a third the whole block.
func (t *transcript) press(e *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(t.ground); c != nil {
		t.ground.held = true
		c.Focus(t.ground)
	}
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	at := t.spotAt(e.AbsolutePosition)
	now := time.Now()
	if d := e.AbsolutePosition.Subtract(t.pressedAt); now.Sub(t.pressed) < again && d.X*d.X+d.Y*d.Y < 16 {
		t.presses++
	} else {
		t.presses = 1
	}
	t.pressed, t.pressedAt, t.dragging = now, e.AbsolutePosition, false
	switch {
	case e.Modifier&fyne.KeyModifierShift != 0:
		t.mark(t.anchor, at)
	case t.presses == 1:
		t.mark(at, at)
	default:
		text := []rune(t.parts(at.item)[at.part].Text())
		from, to := 0, len(text)
		if t.presses == 2 {
			from, to = wordAround(text, at.at)
		}
		t.mark(spot{at.item, at.part, from}, spot{at.item, at.part, to})
	}
}

// wordAround is the word that is at a place, or the one character.
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

// drag goes on with a selection to where the pointer is. Outside of what is in
// sight it scrolls there, the faster the farther.
func (t *transcript) drag(pos fyne.Position) {
	t.pointer, t.dragging = pos, true
	t.mark(t.anchor, t.reached(pos))
	if t.crawl == nil && t.outside() != 0 {
		t.crawl = t.clock.Add(1, t.crawlOn)
	}
}

// outside is how far the pointer is above (less than 0) or below what is in sight.
func (t *transcript) outside() float32 {
	top := fyne.CurrentApp().Driver().AbsolutePositionForObject(t.scroll.Root).Y
	return min(t.pointer.Y-top, 0) + max(t.pointer.Y-top-t.scroll.Root.Size().Height, 0)
}

func (t *transcript) crawlOn() {
	d := t.outside()
	if d == 0 || !t.dragging {
		t.stopCrawl()
		return
	}
	t.scroll.Scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -max(min(d*2, 240), -240))})
	t.mark(t.anchor, t.reached(t.pointer))
}

func (t *transcript) stopCrawl() {
	if t.crawl != nil {
		t.clock.Remove(t.crawl)
		t.crawl = nil
	}
}

func (t *transcript) dragged() { t.stopCrawl() }

// release ends a press. One that moved nothing and is on a link follows it.
func (t *transcript) release(e *desktop.MouseEvent) {
	t.stopCrawl()
	if e.Button == desktop.MouseButtonPrimary && !t.dragging && t.presses == 1 && t.selection.empty() && t.pointed != "" {
		t.open(t.pointed)
	}
}

// selectAll marks the whole conversation.
func (t *transcript) selectAll() {
	if len(t.items) == 0 {
		return
	}
	t.mark(spot{}, spot{len(t.items) - 1, 1 << 30, 0})
}
