package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/markdown"
	"goated/ui/view"
)

// A passage shows one block of text of the transcript. What is selected and
// found in it is the transcript's, since that goes across passages. Its methods
// belong to the UI goroutine.
type passage struct {
	widget.BaseWidget
	in         *transcript
	item, part int // its place in the transcript
	manner     markdown.Style
	block      view.Block
	tint       dyeing           // of a listing
	asked      map[listing]bool // listings within it whose colours are asked for
	open       bool             // the block may still grow
	kept       int              // of the lines that are drawn, are as they were

	set      markdown.Layout
	width    float32 // that it is set for
	limit    float32 // that wish is for
	wish     float32 // the width that it would like to have
	from, to float32 // of what is drawn, when it is too long to be drawn as a whole
}

// wholeLines is how many lines a passage may have to be always drawn whole.
const wholeLines = 150

func newPassage(in *transcript, item, part int, b view.Block, m markdown.Style) *passage {
	p := &passage{in: in, item: item, part: part, block: b, manner: m, to: 2000}
	p.ExtendBaseWidget(p)
	return p
}

// String is the text of the block, without its marks.
func (p *passage) String() string { return p.block.Text() }

// put shows another block in the place of the present one. What has grown is as
// the growth of its document says, of which Same is of no account here.
func (p *passage) put(b view.Block, g view.Growth) {
	p.block, p.limit = b, 0
	g = p.retint(g)
	if p.width > 0 {
		p.set.Tints = p.in.tinted(p)
		next := p.setBlock()
		if line, ok := p.set.Grow(&next, g.Inner, g.Bytes, 0, p.width, p.manner.Grown(p.in.grow)); ok {
			p.in.colour(p)
			p.changed(line)
			return
		}
	}
	p.again()
}

// again sets the block anew.
func (p *passage) again() {
	p.width = 0
	if w := p.Size().Width; w > 0 {
		p.HeightFor(w)
		p.Refresh()
	}
}

// changed draws the lines from one on anew.
func (p *passage) changed(line int) {
	p.set.Indexed = min(p.set.Indexed, line)
	p.kept = line
	p.Refresh()
	p.kept = 0
}

// setBlock is the block with the colours that are known.
func (p *passage) setBlock() view.Block {
	b := p.block
	if b.Kind == view.Code {
		b.Spans = p.tint.over(b.Spans)
	}
	return b
}

// HeightFor sets the block for width, unless it is already. Fyne asks containers
// for their smallest size, and those ask at no width: nothing is set for that.
func (p *passage) HeightFor(width float32) float32 {
	if p.width == width || width <= 0 {
		return p.set.Height
	}
	p.in.colour(p)
	p.width = width
	old := p.set
	p.set = markdown.Layout{Larger: p.in.grow, Gauge: p.in.gauge, Old: old.Leaves, Tints: p.in.tinted(p),
		Lines: make([]markdown.Line, 0, len(old.Lines)), Leaves: make([]markdown.Run, 0, len(old.Leaves))}
	b := p.setBlock()
	top := float32(0)
	if b.Kind == view.Heading {
		top = 6
	}
	p.set.Outer = &b
	p.set.Height = p.set.Block(&b, 0, top, width, p.manner.Grown(p.in.grow))
	return p.set.Height
}

// natural is the width that the text would like to have, up to limit.
func (p *passage) natural(limit float32) float32 {
	if p.limit == limit || limit <= 0 {
		return p.wish
	}
	p.HeightFor(limit)
	w := float32(0)
	for _, line := range p.set.Lines {
		w = max(w, line.X+line.Width())
	}
	p.limit, p.wish = limit, min(float32(int(w))+1, limit)
	return p.wish
}

// Reveal says which part of it is in sight.
func (p *passage) Reveal(from, to float32) {
	if len(p.set.Lines) <= wholeLines {
		return
	}
	const step = 500 // so that not every scroll draws anew
	from = float32(int(from/step)-1) * step
	to = float32(int(to/step)+2) * step
	if from != p.from || to != p.to {
		p.from, p.to = from, to
		p.Refresh()
	}
}

// drawn reports whether something between two heights is to be drawn.
func (p *passage) drawn(top, bottom float32) bool {
	return len(p.set.Lines) <= wholeLines || bottom >= p.from && top <= p.to
}

// line is the line that is nearest to a position.
func (p *passage) line(pos fyne.Position) *markdown.Line {
	var best *markdown.Line
	nearest := float32(0)
	for i := range p.set.Lines {
		l := &p.set.Lines[i]
		dy := max(l.Y-pos.Y, pos.Y-l.Y-l.Leading, 0)
		dx := max(l.X-pos.X, pos.X-l.X-l.Width(), 0)
		if d := dy*1000 + dx; best == nil || d < nearest {
			best, nearest = l, d
		}
	}
	return best
}

// index is the place in the text that is nearest to a position.
func (p *passage) index(pos fyne.Position) int {
	l := p.line(pos)
	if l == nil {
		return 0
	}
	return l.At + l.Line.Index(p.in.gauge, l.TextSize, pos.X-l.X)
}

// link is the address under a position; empty if there is none.
func (p *passage) link(pos fyne.Position) string {
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

func (p *passage) CreateRenderer() fyne.WidgetRenderer {
	r := &passageRenderer{p: p, pulse: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

// What the pointer does in a passage, it does to the transcript.

func (p *passage) MouseDown(e *desktop.MouseEvent)    { p.in.press(e) }
func (p *passage) MouseUp(e *desktop.MouseEvent)      { p.in.release(e) }
func (p *passage) Dragged(e *fyne.DragEvent)          { p.in.drag(e.AbsolutePosition) }
func (p *passage) DragEnd()                           { p.in.dragged() }
func (p *passage) TappedSecondary(e *fyne.PointEvent) { p.in.menu(e.AbsolutePosition) }
func (p *passage) MouseIn(e *desktop.MouseEvent)      { p.MouseMoved(e) }
func (p *passage) MouseMoved(e *desktop.MouseEvent) {
	p.in.hover(p.item, p.link(e.Position))
}
func (p *passage) MouseOut() { p.in.hover(p.item, "") }

func (p *passage) Cursor() desktop.Cursor {
	if p.in.pointed != "" {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}
