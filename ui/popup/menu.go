package popup

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// A Menu is an open menu. Its methods do nothing if it is nil.
type Menu struct {
	canvas fyne.Canvas
	list   *list
	rows   *fyne.Container
	root   *fyne.Container
	place  *place
	open   bool
	closed func() // runs once; may be nil
}

// Open opens a menu below a button, or above it. The items of the menu can change while it is
// open. closed runs when the menu closes.
func Open(c fyne.Canvas, button fyne.CanvasObject, closed func(), items ...Item) *Menu {
	at := kit.PositionOf(button)
	return show(c, &place{at: at, button: button.Size()}, closed, items)
}

func show(c fyne.Canvas, at *place, closed func(), items []Item) *Menu {
	if items = tidy(items); c == nil || len(items) == 0 {
		return nil
	}
	m := &Menu{canvas: c, place: at, open: true, closed: closed, rows: container.New(&column{})}
	m.list = &list{chosen: -1, hide: m.Hide}
	m.list.ExtendBaseWidget(m.list)
	m.fill(items)
	m.list.chosen = slices.IndexFunc(items, func(i Item) bool { return i.Checked && i.ID != nil }) // where the arrow keys start
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorHair, 12)
	ground.Shadow = true
	scroll := kit.NewScroller(m.rows)
	at.rows = m.rows
	at.card = container.New(kit.Margin{}, m.list, ground, kit.NewBlocker(nil), kit.Inset(kit.Margin{Top: padding, Right: padding, Bottom: padding, Left: padding}, scroll.Root))
	m.root = container.New(at, newShade(m.Hide), at.card)
	m.Raise()
	return m
}

// fill draws the items.
func (m *Menu) fill(items []Item) {
	l := m.list
	l.items, l.rows = items, nil
	m.rows.RemoveAll()
	iconed := slices.ContainsFunc(items, func(i Item) bool { return i.Icon != "" || i.Checked })
	for i, item := range items {
		r := newRow(l, i, item, iconed)
		l.rows = append(l.rows, r)
		m.rows.Add(r)
	}
}

// Set replaces the items. The mark stays on its item, or moves to the item that replaces it.
func (m *Menu) Set(items ...Item) {
	if m == nil || !m.open {
		return
	}
	items = tidy(items)
	if len(items) == 0 {
		m.Hide()
		return
	}
	l := m.list
	if slices.EqualFunc(l.items, items, Item.looksLike) {
		l.items = items // a press that has begun stays on its row
		return
	}
	at := l.chosen
	if at >= 0 {
		if same := slices.IndexFunc(items, func(i Item) bool { return i.ID != nil && i.ID == l.items[at].ID }); same >= 0 {
			at = same
		}
	}
	l.chosen = min(at, len(items)-1)
	m.fill(items)
	m.root.Refresh()
}

// looksLike reports whether two items look the same.
func (i Item) looksLike(o Item) bool {
	return i.ID == o.ID && i.Text == o.Text && i.Detail == o.Detail && i.Note == o.Note && i.Icon == o.Icon && i.Checked == o.Checked && i.Disabled == o.Disabled
}

// Raise puts the menu back above everything else and focuses it. A sheet that closes below the menu
// removes it from the canvas. If the user has opened something above the menu, Raise closes it.
func (m *Menu) Raise() {
	if m == nil || !m.open {
		return
	}
	switch all := m.canvas.Overlays(); {
	case all.Top() == fyne.CanvasObject(m.root):
	case slices.Contains(all.List(), fyne.CanvasObject(m.root)):
		m.Hide()
		return
	default:
		m.root.Resize(m.canvas.Size())
		all.Add(m.root)
	}
	m.canvas.Focus(m.list)
}

// Hide closes the menu.
func (m *Menu) Hide() {
	if m == nil || !m.open {
		return
	}
	m.open = false
	m.remove()
	if m.closed != nil {
		m.closed()
	}
}

// remove removes the menu from the canvas. Fyne also removes all overlays above it; remove puts
// them back, with the focus.
func (m *Menu) remove() {
	all := m.canvas.Overlays()
	at := slices.Index(all.List(), fyne.CanvasObject(m.root))
	if at < 0 {
		return
	}
	above, focused := slices.Clone(all.List()[at+1:]), m.canvas.Focused()
	all.Remove(m.root)
	for _, o := range above {
		all.Add(o)
	}
	if len(above) > 0 && focused != nil {
		m.canvas.Focus(focused)
	}
}

// place is the layout of an open menu on the canvas.
type place struct {
	at     fyne.Position
	button fyne.Size // the size of the button at that position that opened the menu; zero: none
	card   fyne.CanvasObject
	rows   *fyne.Container
}

func (l *place) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.Position{})
	objects[0].Resize(size)
	want := l.rows.MinSize()
	most := float32(maxWidth)
	if want.Width >= detailWidth-2*padding {
		most = detailWidth
	}
	w := min(max(want.Width+2*padding, leastWidth), most, size.Width-2*edge)
	h := min(want.Height+2*padding, size.Height-2*edge)
	x, y := l.at.X, l.at.Y
	if !l.button.IsZero() {
		x, y, h = l.beside(w, h, size)
	}
	x = max(min(x, size.Width-w-edge), edge)
	y = max(min(y, size.Height-h-edge), edge)
	kit.Place(l.card, float32(int(x)), float32(int(y)), w, h)
}

// beside places a menu below its button, or above if it fits better there. An edge of the menu is
// aligned with the outer edge of the button.
func (l *place) beside(w, h float32, size fyne.Size) (x, y, height float32) {
	const gap = 4
	x = l.at.X
	if l.at.X+l.button.Width/2 > size.Width/2 {
		x += l.button.Width - w
	}
	y = l.at.Y + l.button.Height + gap
	below, above := size.Height-edge-y, l.at.Y-gap-edge
	if h <= below || below >= above {
		return x, y, min(h, below)
	}
	h = min(h, above)
	return x, l.at.Y - gap - h, h
}

func (l *place) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
