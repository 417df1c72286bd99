package kit

import "fyne.io/fyne/v2"

// The width of the name of a fact, and the gap between the parts of a fact.
const (
	factName = 86
	factGap  = 10
)

// FactRow lays out the name of a fact, its value and its hint. The hint moves below the value if
// both do not fit on one line. The value matters more, because it names what runs.
type FactRow struct{}

// beside returns the width of the value, and reports whether the hint fits beside it.
func (FactRow) beside(o []fyne.CanvasObject, width float32) (value float32, fits bool) {
	room := width - factName - factGap
	value = o[1].(*Label).Measure(o[1].(*Label).Text).Width
	if hint := o[2].(*Label); hint.Text == "" || value+factGap+hint.MinSize().Width <= room {
		return min(value, room), true
	}
	return min(value, room), false
}

func (l FactRow) Layout(o []fyne.CanvasObject, size fyne.Size) {
	value, fits := l.beside(o, size.Width)
	Place(o[0], 0, 0, factName, factLine)
	x := float32(factName + factGap)
	Place(o[1], x, 0, value, factLine)
	if fits {
		x += value + factGap
		Place(o[2], x, 0, max(size.Width-x, 0), factLine)
		return
	}
	Place(o[2], x, factLine, max(size.Width-x, 0), factLine)
}

// factLine is the height of a line.
const factLine = 20

func (l FactRow) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	if _, fits := l.beside(o, width); !fits {
		return 2 * factLine
	}
	return factLine
}

func (FactRow) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(factName, factLine) }
