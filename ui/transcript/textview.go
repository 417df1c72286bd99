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
func (p *TextView) String() string { return p.Block.Text() }

// put replaces the block. g describes the growth since the block before; put
// ignores g.Same.
func (p *TextView) put(b md.Block, g md.Growth) {
	p.Block, p.limit = b, 0
	g = p.keepHighlight(g)
	if p.width > 0 {
		p.Set.Tints = p.in.colours.highlighter(p)
		next := p.highlightedBlock()
		if line, ok := p.Set.Grow(&next, g.Inner, g.Bytes, 0, p.width, p.style.Grown(p.in.grow())); ok {
			p.in.colours.colour(p)
			p.changed(line)
			return
		}
	}
	p.relayout()
}

// relayout lays out the whole block.
func (p *TextView) relayout() {
	p.width = 0
	if w := p.Size().Width; w > 0 {
		p.HeightFor(w)
		p.Refresh()
	}
}

// changed draws the lines from one on.
func (p *TextView) changed(line int) {
	p.Set.Bounds.NLines = min(p.Set.Bounds.NLines, line)
	p.kept = line
	p.Refresh()
	p.kept = 0
}

// highlightedBlock returns the block with the known highlighting.
func (p *TextView) highlightedBlock() md.Block {
	b := p.Block
	if b.Kind == md.Code {
		b.Spans = p.Tints.over(b.Spans)
	}
	return b
}

// HeightFor lays out the block for width if necessary and returns its height.
// Fyne asks for minimum sizes at width 0; HeightFor ignores those.
func (p *TextView) HeightFor(width float32) float32 {
	if p.width == width || width <= 0 {
		return p.Set.Height
	}
	p.in.colours.colour(p)
	p.width = width
	old := p.Set
	p.Set = markdown.Layout{Larger: p.in.grow(), Measure: p.in.measure, Old: old.Runs, Tints: p.in.colours.highlighter(p),
		Lines: make([]markdown.Line, 0, len(old.Lines)), Runs: make([]markdown.Run, 0, len(old.Runs))}
	b := p.highlightedBlock()
	top := float32(0)
	if b.Kind == md.Heading {
		top = 6
	}
	p.Set.Outer = &b
	p.Set.Height = p.Set.Block(&b, 0, top, width, p.style.Grown(p.in.grow()))
	return p.Set.Height
}

// natural returns the width of the longest line, up to limit.
func (p *TextView) natural(limit float32) float32 {
	if p.limit == limit || limit <= 0 {
		return p.wish
	}
	p.HeightFor(limit)
	w := float32(0)
	for _, line := range p.Set.Lines {
		w = max(w, line.X-line.Slack+line.Width())
	}
	p.limit, p.wish = limit, min(float32(int(w))+1, limit)
	return p.wish
}

// Reveal sets the visible part.
func (p *TextView) Reveal(from, to float32) {
	if len(p.Set.Lines) <= wholeLines {
		return
	}
	const step = 500 // avoids a drawing for each scroll event
	from = float32(int(from/step)-1) * step
	to = float32(int(to/step)+2) * step
	if next := (extent{from, to}); next != p.shown {
		p.shown = next
		p.Refresh()
	}
}

// drawn reports whether the range between two heights is drawn.
func (p *TextView) drawn(top, bottom float32) bool {
	return len(p.Set.Lines) <= wholeLines || bottom >= p.shown.from && top <= p.shown.to
}

// line returns the line nearest to a position.
func (p *TextView) line(pos fyne.Position) *markdown.Line {
	var best *markdown.Line
	nearest := float32(0)
	for i := range p.Set.Lines {
		l := &p.Set.Lines[i]
		dy := max(l.Y-pos.Y, pos.Y-l.Y-l.Leading, 0)
		dx := max(l.X-pos.X, pos.X-l.X-l.Width(), 0)
		if d := dy*1000 + dx; best == nil || d < nearest {
			best, nearest = l, d
		}
	}
	return best
}

// index returns the character nearest to a position.
func (p *TextView) index(pos fyne.Position) int {
	l := p.line(pos)
	if l == nil {
		return 0
	}
	return l.At + l.Line.Index(p.in.measure, l.TextSize, pos.X-l.X)
}

// link returns the address at a position, or "".
func (p *TextView) link(pos fyne.Position) string {
	l := p.line(pos)
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

func (p *TextView) CreateRenderer() fyne.WidgetRenderer {
	r := &textViewRenderer{p: p, invalid: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

// The transcript handles the pointer.

func (p *TextView) MouseDown(e *desktop.MouseEvent)    { p.in.press(e) }
func (p *TextView) MouseUp(e *desktop.MouseEvent)      { p.in.release(e) }
func (p *TextView) Dragged(e *fyne.DragEvent)          { p.in.drag(e) }
func (p *TextView) DragEnd()                           { p.in.dragEnd() }
func (p *TextView) TappedSecondary(e *fyne.PointEvent) { p.in.menu(e.AbsolutePosition, p.listing()) }

// listing returns the source of a block that is code or a formula; empty for any other.
func (p *TextView) listing() string { return p.Block.Listing() }

func (p *TextView) MouseIn(e *desktop.MouseEvent) { p.MouseMoved(e) }
func (p *TextView) MouseMoved(e *desktop.MouseEvent) {
	p.in.hover(p.item, p.link(e.Position))
}
func (p *TextView) MouseOut() { p.in.hover(p.item, "") }

func (p *TextView) Cursor() desktop.Cursor {
	if p.in.overLink() {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}
