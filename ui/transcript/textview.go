package transcript

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/markdown"
	md "goated/ui/view/markdown"
)

// A TextView shows one block of text. The transcript owns the selection and the
// matches, because they span text views. Its methods belong to the UI goroutine.
type TextView struct {
	widget.BaseWidget
	in         *textHost
	item, Part int // its place in the transcript
	style      markdown.Style
	Block      md.Block
	Tints      highlighting     // the highlighting of a listing
	asked      map[listing]bool // pending listings within the block
	open       bool             // the block may still grow
	kept       int              // the first lines, which did not change since the last drawing

	Set   markdown.Layout
	width float32 // the width of Set
	limit float32 // the limit of wish
	wish  float32 // the natural width
	shown extent  // the part of a very long text that is drawn
}

// An extent is a vertical range.
type extent struct{ from, to float32 }

// wholeLines is the greatest number of lines that a text view draws as a whole.
const wholeLines = 150

func newTextView(in *textHost, item, part int, b md.Block, m markdown.Style) *TextView {
	p := &TextView{in: in, item: item, Part: part, Block: b, style: m, shown: extent{to: 2000}}
	p.ExtendBaseWidget(p)
	return p
}

// String returns the text of the block without Markdown marks.
func (v *TextView) String() string { return v.Block.Text() }

// put replaces the block. g describes the growth since the block before; put
// ignores g.Same.
func (v *TextView) put(b md.Block, g md.Growth) {
	v.Block, v.limit = b, 0
	g = v.keepHighlight(g)
	if v.width > 0 {
		v.Set.Tints = v.in.colours.highlighter(v)
		next := v.highlightedBlock()
		if line, ok := v.Set.Grow(&next, g.Inner, g.Bytes, 0, v.width, v.style.Grown(v.in.grow())); ok {
			v.in.colours.colour(v)
			v.changed(line)
			return
		}
	}
	v.relayout()
}

// relayout lays out the whole block.
func (v *TextView) relayout() {
	v.width = 0
	if w := v.Size().Width; w > 0 {
		v.HeightFor(w)
		v.Refresh()
	}
}

// changed draws the lines from one on.
func (v *TextView) changed(line int) {
	v.Set.Bounds.NLines = min(v.Set.Bounds.NLines, line)
	v.kept = line
	v.Refresh()
	v.kept = 0
}

// highlightedBlock returns the block with the known highlighting.
func (v *TextView) highlightedBlock() md.Block {
	b := v.Block
	if b.Kind == md.Code {
		b.Spans = v.Tints.over(b.Spans)
	}
	return b
}

// HeightFor lays out the block for width if necessary and returns its height.
// Fyne asks for minimum sizes at width 0; HeightFor ignores those.
func (v *TextView) HeightFor(width float32) float32 {
	if v.width == width || width <= 0 {
		return v.Set.Height
	}
	v.in.colours.colour(v)
	v.width = width
	old := v.Set
	v.Set = markdown.Layout{Larger: v.in.grow(), Measure: v.in.measure, Old: old.Runs, Tints: v.in.colours.highlighter(v),
		Lines: make([]markdown.Line, 0, len(old.Lines)), Runs: make([]markdown.Run, 0, len(old.Runs))}
	b := v.highlightedBlock()
	top := float32(0)
	if b.Kind == md.Heading {
		top = 6
	}
	v.Set.Outer = &b
	v.Set.Height = v.Set.Block(&b, 0, top, width, v.style.Grown(v.in.grow()))
	return v.Set.Height
}

// natural returns the width of the longest line, up to limit.
func (v *TextView) natural(limit float32) float32 {
	if v.limit == limit || limit <= 0 {
		return v.wish
	}
	v.HeightFor(limit)
	w := float32(0)
	for _, line := range v.Set.Lines {
		w = max(w, line.X-line.Slack+line.Width())
	}
	v.limit, v.wish = limit, min(float32(int(w))+1, limit)
	return v.wish
}

// Reveal sets the visible part.
func (v *TextView) Reveal(from, to float32) {
	if len(v.Set.Lines) <= wholeLines {
		return
	}
	const step = 500 // avoids a drawing for each scroll event
	from = float32(int(from/step)-1) * step
	to = float32(int(to/step)+2) * step
	if next := (extent{from, to}); next != v.shown {
		v.shown = next
		v.Refresh()
	}
}

// drawn reports whether the range between two heights is drawn.
func (v *TextView) drawn(top, bottom float32) bool {
	return len(v.Set.Lines) <= wholeLines || bottom >= v.shown.from && top <= v.shown.to
}

// line returns the line nearest to a position.
func (v *TextView) line(pos fyne.Position) *markdown.Line {
	var best *markdown.Line
	nearest := float32(0)
	for i := range v.Set.Lines {
		l := &v.Set.Lines[i]
		dy := max(l.Y-pos.Y, pos.Y-l.Y-l.Leading, 0)
		dx := max(l.X-pos.X, pos.X-l.X-l.Width(), 0)
		if d := dy*1000 + dx; best == nil || d < nearest {
			best, nearest = l, d
		}
	}
	return best
}

// index returns the character nearest to a position.
func (v *TextView) index(pos fyne.Position) int {
	l := v.line(pos)
	if l == nil {
		return 0
	}
	return l.At + l.Line.Index(v.in.measure, l.TextSize, pos.X-l.X)
}

// link returns the address at a position, or "".
func (v *TextView) link(pos fyne.Position) string {
	l := v.line(pos)
	if l == nil || pos.Y < l.Y || pos.Y > l.Y+l.Leading {
		return ""
	}
	for _, f := range l.Parts {
		if f.Link != "" && pos.X >= l.X+f.X && pos.X < l.X+f.X+f.W {
			return f.Link
		}
	}
	return ""
}

func (v *TextView) CreateRenderer() fyne.WidgetRenderer {
	r := &textViewRenderer{p: v, invalid: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

// The transcript handles the pointer.

func (v *TextView) MouseDown(e *desktop.MouseEvent)    { v.in.press(e) }
func (v *TextView) MouseUp(e *desktop.MouseEvent)      { v.in.release(e) }
func (v *TextView) Dragged(e *fyne.DragEvent)          { v.in.drag(e) }
func (v *TextView) DragEnd()                           { v.in.dragEnd() }
func (v *TextView) TappedSecondary(e *fyne.PointEvent) { v.in.menu(e.AbsolutePosition, v.listing()) }

// listing returns the source of a block that is code or a formula; empty for any other.
func (v *TextView) listing() string { return v.Block.Listing() }

func (v *TextView) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }
func (v *TextView) MouseMoved(e *desktop.MouseEvent) {
	v.in.hover(v.item, v.link(e.Position))
}
func (v *TextView) MouseOut() { v.in.hover(v.item, "") }

func (v *TextView) Cursor() desktop.Cursor {
	if v.in.overLink() {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}
