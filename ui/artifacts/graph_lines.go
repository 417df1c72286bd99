package artifacts

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/view/graph"
)

const (
	nodeWidth  = 168 // the maximal width of a box
	nodeLeast  = 110
	nodeHeight = 30
	nodeGap    = 12
	rowGap     = 42
	graphEdge  = 16
)

// A graphLayout places the boxes in rows and draws the lines between them.
type graphLayout struct {
	g       *importGraph
	lines   *graphLines
	boxes   []fyne.CanvasObject
	names   []boxName
	columns int
	rows    [][]int
}

// arrange computes the rows for a width.
func (l *graphLayout) arrange(width float32) {
	columns := max(int((width-2*graphEdge+nodeGap)/(nodeLeast+nodeGap)), 1)
	if columns = min(columns, 6); columns != l.columns {
		l.columns, l.rows = columns, l.g.picture.Arrange(columns)
	}
}

func (l *graphLayout) HeightFor(_ []fyne.CanvasObject, width float32) float32 {
	l.arrange(width)
	return float32(len(l.rows))*(nodeHeight+rowGap) - rowGap + 2*graphEdge
}

func (l *graphLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width := float32(nodeLeast + 2*graphEdge)
	return fyne.NewSize(width, l.HeightFor(objects, max(objects[0].Size().Width, width)))
}

func (l *graphLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	l.arrange(size.Width)
	kit.Place(objects[0], 0, 0, size.Width, size.Height)
	kit.Place(l.lines, 0, 0, size.Width, size.Height)
	inner := size.Width - 2*graphEdge
	for k, r := range l.rows {
		cell := inner / float32(len(r))
		w := min(cell-nodeGap, nodeWidth)
		for i, n := range r {
			l.names[n].fit(w - 50) // the rest is for the margins and the count
			kit.Place(l.boxes[n], graphEdge+cell*(float32(i)+0.5)-w/2, graphEdge+float32(k)*(nodeHeight+rowGap), w, nodeHeight)
		}
	}
	l.draw()
}

// draw draws a line for each edge that does not follow from others. For a chosen box it draws all
// of its edges, above the other lines.
func (l *graphLayout) draw() {
	chosen := l.g.at()
	var plain, marked []stroke
	for _, e := range l.g.picture.Edges {
		own := e.From == chosen || e.To == chosen
		if e.Implied && !own {
			continue
		}
		s := l.stroke(e)
		switch {
		case own:
			s.color, s.width = kit.ColorAccent, 2
			marked = append(marked, s)
			continue
		case chosen >= 0:
			s.color = kit.ColorHair
		case e.Back:
			s.color, s.width = kit.ColorWarn, 1.5
		}
		plain = append(plain, s)
	}
	l.lines.show(append(plain, marked...))
}

// stroke returns the line for an edge, between the facing sides of its boxes.
func (l *graphLayout) stroke(e graph.Edge) stroke {
	a, b := l.boxes[e.From], l.boxes[e.To]
	side := func(o fyne.CanvasObject, bottom bool) fyne.Position {
		at := o.Position().AddXY(o.Size().Width/2, 0)
		if bottom {
			at.Y += o.Size().Height
		}
		return at
	}
	down := a.Position().Y < b.Position().Y
	return stroke{from: side(a, down), to: side(b, !down), color: kit.ColorEdge, width: 1}
}

// A stroke is a line in a colour of the theme.
type stroke struct {
	from, to fyne.Position
	color    fyne.ThemeColorName
	width    float32
}

// A graphLines draws strokes. It follows the theme.
type graphLines struct {
	widget.BaseWidget
	strokes []stroke
}

func newGraphLines() *graphLines {
	w := &graphLines{}
	w.ExtendBaseWidget(w)
	return w
}

func (w *graphLines) show(s []stroke) {
	w.strokes = s
	w.Refresh()
}

func (w *graphLines) CreateRenderer() fyne.WidgetRenderer {
	r := &linesRenderer{w: w}
	r.Refresh()
	return r
}

type linesRenderer struct {
	w     *graphLines
	lines []fyne.CanvasObject
}

func (r *linesRenderer) Layout(fyne.Size)             {}
func (r *linesRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *linesRenderer) Objects() []fyne.CanvasObject { return r.lines }
func (r *linesRenderer) Destroy()                     {}

func (r *linesRenderer) Refresh() {
	r.lines = r.lines[:0:0]
	for _, s := range r.w.strokes {
		l := canvas.NewLine(theme.Color(s.color))
		l.StrokeWidth, l.Position1, l.Position2 = s.width, s.from, s.to
		r.lines = append(r.lines, l)
	}
	canvas.Refresh(r.w)
}
