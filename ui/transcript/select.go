package transcript

import (
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
	"goated/ui/textview"
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

// A selection is the selected text, from anchor to caret, and the state of the pointer gesture
// that selects.
type selection struct {
	t             *Transcript
	events        *eventLayer
	anchor, caret TextPos
	whole         int           // the card or failure in which the gesture began; -1 if it began in a text
	held          bool          // a gesture is in progress
	grip          fyne.Position // where the gesture began
	presses       int           // consecutive presses at the same position
	pressed       time.Time
	pressedAt     fyne.Position
	dragging      bool
	pointer       fyne.Position // the absolute position of the pointer during a drag
	crawl         *kit.Ticker   // scrolls while the pointer is outside the visible part
}

// doublePressTime is the maximal time between the presses of a double press.
const doublePressTime = 400 * time.Millisecond

func (s *selection) span() (from, to TextPos) {
	if s.caret.before(s.anchor) {
		return s.caret, s.anchor
	}
	return s.anchor, s.caret
}

func (s *selection) empty() bool { return s.anchor == s.caret }

// marksOf returns the marks of a text view: the selection, the matches and the flashes.
func (t *Transcript) marksOf(item, part int) []textview.Mark {
	found := append(t.Find.marks(item, part), t.Flashes.marks(item, part)...)
	from, to := t.Selection.span()
	if t.Selection.empty() || item < from.Item || item > to.Item {
		return found
	}
	m := textview.Mark{To: 1 << 30, Color: theme.ColorNameSelection}
	here := TextPos{item, part, 0}
	switch {
	case here.before(TextPos{from.Item, from.Part, 0}), (TextPos{to.Item, to.Part, 0}).before(here):
		return found
	}
	if item == from.Item && part == from.Part {
		m.From = from.At
	}
	if item == to.Item && part == to.Part {
		m.To = to.At
	}
	return append([]textview.Mark{m}, found...)
}

// Mark selects the text between two positions.
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
	for _, p := range t.View.textViews() {
		p.Refresh()
	}
	for i := t.View.Made[0]; i < min(t.View.Made[1], len(t.View.Rows)); i++ {
		t.tint(i)
	}
	t.View.repaint()
}

// textViews returns the text views that exist.
func (v *viewport) textViews() []*textview.View {
	var out []*textview.View
	for i := v.Made[0]; i < min(v.Made[1], len(v.Rows)); i++ {
		switch b := v.Rows[i].Block.(type) {
		case *Bubble:
			if !b.keepsState() {
				out = append(out, b.Text)
			}
		case *queued:
			if !b.keepsState() {
				out = append(out, b.fold.text)
			}
		case *noticeRow:
			out = append(out, b.text)
		case *thought:
			if b.open {
				out = append(out, b.text)
			}
		case *summary:
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

// posAt returns the text position that is closest to a position on the canvas.
func (s *selection) posAt(pos fyne.Position) TextPos {
	var best *textview.View
	var rel fyne.Position
	nearest := float32(0)
	driver := fyne.CurrentApp().Driver()
	for _, p := range s.t.View.textViews() {
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
		return TextPos{best.Item, best.Part, 0}
	case rel.Y > best.Size().Height && nearest > 0:
		return TextPos{best.Item, best.Part, utf8.RuneCountInString(best.Block.Text())}
	}
	return TextPos{best.Item, best.Part, best.Index(rel)}
}

// All selects the whole conversation.
func (s *selection) All() {
	if len(s.t.View.Items) == 0 {
		return
	}
	s.Mark(TextPos{}, TextPos{len(s.t.View.Items) - 1, 1 << 30, 0})
}
