package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
)

// sortWidth is the width of the mark of the sorted column.
const sortWidth = 18

// A head shows the names of the columns, which stay in place while the rows scroll. A press on a
// name sorts by that column.
type head struct {
	widget.BaseWidget
	t     *Table
	spots []*kit.Tappable
	names []*kit.Label
	mark  *kit.Icon
}

func newHead(t *Table) *head {
	h := &head{t: t, mark: kit.NewIcon("chevron-down", 14, kit.ColorText)}
	for i, c := range t.grid.Columns {
		h.spots = append(h.spots, kit.NewTappable(6, func() { t.Sort(i) }))
		name := kit.NewLabel(c.Name, 12, kit.ColorMuted).Strong().Elided()
		name.Right = c.Right
		h.names = append(h.names, name)
	}
	h.ExtendBaseWidget(h)
	return h
}

func (h *head) CreateRenderer() fyne.WidgetRenderer {
	r := &headRenderer{h}
	r.Refresh()
	return r
}

type headRenderer struct{ h *head }

func (r *headRenderer) Layout(size fyne.Size) {
	x := -r.h.t.x
	for i, w := range r.h.t.widths(size.Width) {
		kit.Place(r.h.spots[i], x+2, 3, w-4, size.Height-6)
		left, wide := x+pad, w-2*pad
		if i == r.h.t.sort.column {
			// The mark is on the side where the text does not begin.
			room := min(r.h.names[i].Measure(r.h.names[i].Text).Width, wide-sortWidth)
			at := left + room + 4
			if r.h.names[i].Right {
				at = left + wide - room - sortWidth
			}
			kit.Place(r.h.mark, at, 0, 14, size.Height)
		}
		kit.Place(r.h.names[i], left, 0, wide, size.Height)
		x += w
	}
}

func (r *headRenderer) MinSize() fyne.Size { return fyne.NewSize(40, headHeight) }

func (r *headRenderer) Refresh() {
	by := r.h.t.sort
	r.h.mark.Hidden = by.column < 0
	if by.down {
		r.h.mark.Set("chevron-down", kit.ColorText)
	} else {
		r.h.mark.Set("chevron-up", kit.ColorText)
	}
	r.Layout(r.h.Size())
	for i, name := range r.h.names {
		if i == by.column {
			name.Paint(kit.ColorText)
		} else {
			name.Paint(kit.ColorMuted)
		}
	}
}

func (r *headRenderer) Objects() []fyne.CanvasObject {
	var out []fyne.CanvasObject
	for i := range r.h.spots {
		out = append(out, r.h.spots[i], r.h.names[i])
	}
	return append(out, r.h.mark)
}

func (r *headRenderer) Destroy() {}
