package textview

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"goated/ui/markdown"
	md "goated/ui/view/markdown"
)

// A View shows one block of text. Its methods belong to the UI goroutine.
type View struct {
	widget.BaseWidget
	in         *Host
	Item, Part int // its position, as the host counts
	style      markdown.Style
	Block      md.Block         // the shown block
	tints      highlighting     // the highlighting of a code block
	asked      map[listing]bool // the pending code blocks within the block
	Open       bool             // the block may still grow
	kept       int              // the number of leading lines that did not change since the last drawing

	Set   markdown.Layout // the layout of Block
	width float32         // the width for which Set is valid
	limit float32         // the limit for which wish is valid
	wish  float32         // the natural width
	shown extent          // the drawn part of a very long text
}

// An extent is a vertical range.
type extent struct{ from, to float32 }

// wholeLines is the maximal number of lines that a text view draws as a whole.
const wholeLines = 150

// New returns a view of a block at a position of the host.
func New(in *Host, item, part int, b md.Block, m markdown.Style) *View {
	p := &View{in: in, Item: item, Part: part, Block: b, style: m, shown: extent{to: 2000}}
	p.ExtendBaseWidget(p)
	return p
}

// String returns the text of the block without Markdown marks.
func (v *View) String() string { return v.Block.Text() }

// Put replaces the block. g describes the growth since the previous block; Put ignores g.Same.
func (v *View) Put(b md.Block, g md.Growth) {
	v.Block, v.limit = b, 0
	g = v.keepHighlight(g)
	if v.width > 0 {
		v.Set.Tints = v.in.Colours.highlighter(v)
		next := v.highlightedBlock()
		if line, ok := v.Set.Grow(&next, g.Inner, g.Bytes, 0, v.width, v.style.Grown(v.in.Grow())); ok {
			v.in.Colours.colour(v)
			v.changed(line)
			return
		}
	}
	v.relayout()
}

// relayout lays out the whole block again.
func (v *View) relayout() {
	v.width = 0
	if w := v.Size().Width; w > 0 {
		v.HeightFor(w)
		v.Refresh()
	}
}

// changed redraws the lines from line on.
func (v *View) changed(line int) {
	v.Set.Bounds.NLines = min(v.Set.Bounds.NLines, line)
	v.kept = line
	v.Refresh()
	v.kept = 0
}

// highlightedBlock returns the block with the known highlighting.
func (v *View) highlightedBlock() md.Block {
	b := v.Block
	if b.Kind == md.Code {
		b.Spans = v.tints.over(b.Spans)
	}
	return b
}

// HeightFor lays out the block for width if necessary and returns its height. It ignores width 0,
// because Fyne asks for minimal sizes at that width.
func (v *View) HeightFor(width float32) float32 {
	if v.width == width || width <= 0 {
		return v.Set.Height
	}
	v.in.Colours.colour(v)
	v.width = width
	old := v.Set
	v.Set = markdown.Layout{Larger: v.in.Grow(), Measure: v.in.Measure, Old: old.Runs, Tints: v.in.Colours.highlighter(v),
		Lines: make([]markdown.Line, 0, len(old.Lines)), Runs: make([]markdown.Run, 0, len(old.Runs))}
	b := v.highlightedBlock()
	top := float32(0)
	if b.Kind == md.Heading {
		top = 6
	}
	v.Set.Outer = &b
	v.Set.Height = v.Set.Block(&b, 0, top, width, v.style.Grown(v.in.Grow()))
	return v.Set.Height
}

// Natural returns the width of the longest line, up to limit.
func (v *View) Natural(limit float32) float32 {
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
func (v *View) Reveal(from, to float32) {
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

// drawn reports whether the vertical range from top to bottom is drawn.
func (v *View) drawn(top, bottom float32) bool {
	return len(v.Set.Lines) <= wholeLines || bottom >= v.shown.from && top <= v.shown.to
}

// line returns the line that is closest to a position.
func (v *View) line(pos fyne.Position) *markdown.Line {
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

// Index returns the index of the character that is closest to a position.
func (v *View) Index(pos fyne.Position) int {
	l := v.line(pos)
	if l == nil {
		return 0
	}
	return l.At + l.Line.Index(v.in.Measure, l.TextSize, pos.X-l.X)
}

// LineAt returns the top of the line that contains a character.
func (v *View) LineAt(at int) float32 {
	for _, l := range v.Set.Lines {
		if at >= l.At+l.Line.At && at < l.At+l.End {
			return l.Y
		}
	}
	return 0
}

// LaidOut reports whether the block has a layout.
func (v *View) LaidOut() bool { return v.width > 0 }

// link returns the address of the link at a position, or "".
func (v *View) link(pos fyne.Position) string {
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

func (v *View) CreateRenderer() fyne.WidgetRenderer {
	r := &renderer{p: v, invalid: canvas.NewRectangle(color.Transparent)}
	r.Refresh()
	return r
}

// The host handles the pointer.

func (v *View) MouseDown(e *desktop.MouseEvent)    { v.in.Press(e) }
func (v *View) MouseUp(e *desktop.MouseEvent)      { v.in.Release(e) }
func (v *View) Dragged(e *fyne.DragEvent)          { v.in.Drag(e) }
func (v *View) DragEnd()                           { v.in.DragEnd() }
func (v *View) TappedSecondary(e *fyne.PointEvent) { v.in.Menu(e.AbsolutePosition, v.listing()) }

// listing returns the source of a block that is code or a formula, and "" for any other block.
func (v *View) listing() string { return v.Block.Listing() }

func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	v.in.Hover(v.Item, v.link(e.Position))
}
func (v *View) MouseOut() { v.in.Hover(v.Item, "") }

func (v *View) Cursor() desktop.Cursor {
	if v.in.OverLink() {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}
