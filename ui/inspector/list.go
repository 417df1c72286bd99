package inspector

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/internal/inspect"
	"goated/ui/kit"
	"goated/ui/virtual"
)

const (
	rowHeight  = 28
	headHeight = 28
)

// A list shows the selected entries, newest first.
type list struct {
	*virtual.List
	page   *Page
	head   *fyne.Container
	chosen uint64    // the number of the selected entry
	any    bool      // an entry is selected
	wanted time.Time // when the call began that [Page.OpenCall] looks for; zero: none
}

func newList(p *Page) *list {
	l := &list{page: p}
	l.List = virtual.NewList(rowHeight, 0, func() fyne.CanvasObject { return newRow(l) }, func(i int, o fyne.CanvasObject) { o.(*row).show(i) })
	l.OnKey = l.key
	l.OnShortcut = l.shortcut
	l.OnFocus = func(bool) { l.Redraw() }
	names := make([]fyne.CanvasObject, 0, 6)
	for i, n := range []string{"Time", "Server", "Method", "Took", "Size", "Status"} {
		label := kit.NewLabel(n, 12, kit.ColorMuted).Medium()
		label.Right = i == 3 || i == 4
		names = append(names, label)
	}
	l.head = container.New(headLayout{}, append(names, kit.NewLine(), kit.NewLine())...)
	return l
}

// show shows the results of a new search, from the top.
func (l *list) show() {
	l.Set(l.page.shown.view.Len())
	l.ScrollTo(0)
	if l.any {
		if i := l.page.shown.view.Index(l.chosen); i >= 0 {
			l.Reveal(i)
		}
	}
}

// follow updates the list to the current entries. The first added entries are new. A scrolled
// list stays in place, so that the user can continue to read.
func (l *list) follow(added int) {
	if l.Offset > 0 {
		l.Offset += float64(added * rowHeight)
	}
	l.Set(l.page.shown.view.Len())
}

// soon is the maximal time between the decision on a call and its message, because the server may
// have to start first. A later message belongs to another call.
const soon = time.Minute

// chooseWanted selects the call that [Page.OpenCall] looks for, once it is in the log. That is
// the first call that began soon after the given time.
func (l *list) chooseWanted() {
	v := l.page.shown.view
	if l.wanted.IsZero() || v == nil {
		return
	}
	for i := v.Len() - 1; i >= 0; i-- {
		if e, ok := v.At(i); ok && !e.Began().Before(l.wanted) {
			if e.Began().Sub(l.wanted) < soon {
				l.choose(i)
			}
			l.wanted = time.Time{}
			return
		}
	}
}

// choose selects row i and shows its detail.
func (l *list) choose(i int) {
	v := l.page.shown.view
	if v == nil || i < 0 || i >= v.Len() {
		return
	}
	e, ok := v.At(i)
	if !ok {
		return
	}
	l.chosen, l.any, l.wanted = e.Seq, true, time.Time{}
	l.page.detail.show(e)
	l.Reveal(i)
	l.Redraw()
}

// drop clears the selection.
func (l *list) drop() {
	l.any = false
	l.Redraw()
}

func (l *list) key(e *fyne.KeyEvent) bool {
	v := l.page.shown.view
	if v == nil {
		return false
	}
	at := -1
	if l.any {
		at = v.Index(l.chosen)
	}
	jump := max(int(l.Size().Height/rowHeight)-1, 1)
	switch e.Name {
	case fyne.KeyDown:
		l.choose(min(at+1, v.Len()-1))
	case fyne.KeyUp:
		l.choose(max(at-1, 0))
	case fyne.KeyPageDown:
		l.choose(min(max(at, 0)+jump, v.Len()-1))
	case fyne.KeyPageUp:
		l.choose(max(at-jump, 0))
	case fyne.KeyHome:
		l.choose(0)
	case fyne.KeyEnd:
		l.choose(v.Len() - 1)
	default:
		return false
	}
	return true
}

// shortcut copies the selected message.
func (l *list) shortcut(s fyne.Shortcut) bool {
	if _, ok := s.(*fyne.ShortcutCopy); !ok || !l.any {
		return false
	}
	l.page.detail.copyAll()
	return true
}

// places are the positions and widths of the columns of a row. A narrow list has no column for
// sizes.
type places [7]struct{ x, w float32 }

func placesOf(width float32) (p places) {
	const left, time, arrow, took, size, status, gap, right = 20, 94, 18, 58, 54, 66, 8, 4
	server := min(max(width*0.1, 62), 130)
	p[0] = struct{ x, w float32 }{left, time}
	p[1] = struct{ x, w float32 }{left + time + 6, arrow}
	p[2] = struct{ x, w float32 }{p[1].x + arrow + 6, server}
	p[6] = struct{ x, w float32 }{width - right - status, status}
	p[5] = struct{ x, w float32 }{p[6].x - gap - size, size}
	if width < 560 {
		p[5] = struct{ x, w float32 }{p[6].x, 0}
	}
	p[4] = struct{ x, w float32 }{p[5].x - gap - took, took}
	x := p[2].x + server + gap
	p[3] = struct{ x, w float32 }{x, max(p[4].x-gap-x, 0)}
	return p
}

type headLayout struct{}

func (headLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	p := placesOf(size.Width)
	for i, c := range []int{0, 2, 3, 4, 5, 6} {
		objects[i].(*kit.Label).Hidden = p[c].w == 0
		kit.Place(objects[i], p[c].x, 0, p[c].w, size.Height)
	}
	kit.Place(objects[6], 0, 0, size.Width, 1)
	kit.Place(objects[7], 0, size.Height-1, size.Width, 1)
}

func (headLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, headHeight) }

// A row shows one entry.
type row struct {
	widget.BaseWidget
	l       *list
	seq     uint64
	at      int
	hovered bool
	ground  *kit.Panel
	cells   []*kit.Label // time, arrow, server, method, took, size, status, subject
}

func newRow(l *list) *row {
	r := &row{l: l, ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)}
	for i := range 8 {
		c := kit.NewLabel("", 12, kit.ColorMuted).Mono().Elided()
		c.Right = i == 4 || i == 5
		r.cells = append(r.cells, c)
	}
	r.cells[2].Color, r.cells[4].Color, r.cells[7].Color = kit.ColorText, kit.ColorText, kit.ColorText
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) show(i int) {
	r.at = i
	var e inspect.Entry
	ok := false
	if v := r.l.page.shown.view; v != nil && i < v.Len() { // a closed page has no view
		e, ok = v.At(i)
	}
	r.seq = e.Seq
	r.paint()
	for _, c := range r.cells {
		c.Text = ""
	}
	if ok {
		r.fill(e)
	}
	r.Refresh()
}

func (r *row) fill(e inspect.Entry) {
	r.cells[0].Text = e.Began().Local().Format("15:04:05.000")
	r.cells[1].Text, r.cells[1].Color = "→", kit.ColorAccent
	if !e.Ours {
		r.cells[1].Text, r.cells[1].Color = "←", kit.ColorWarn
	}
	r.cells[2].Text = r.l.page.on.Name(e.Server)
	r.cells[3].Text, r.cells[7].Text = named(e)
	if d, done := e.Latency(); done {
		r.cells[4].Text = took(d)
	}
	if e.Kind != inspect.Ended {
		r.cells[5].Text = bytesOf(size(e))
	}
	r.cells[6].Text, r.cells[6].Color = status(e)
}

func (r *row) paint() {
	switch {
	case r.l.any && r.seq == r.l.chosen:
		r.ground.Paint(kit.ColorSelected, kit.ColorNone)
	case r.hovered:
		r.ground.Paint(theme.ColorNameHover, kit.ColorNone)
	default:
		r.ground.Paint(kit.ColorNone, kit.ColorNone)
	}
}

func (r *row) Tapped(*fyne.PointEvent) {
	kit.Focus(r.l.List)
	if v := r.l.page.shown.view; v != nil {
		r.l.choose(v.Index(r.seq))
	}
}

func (r *row) MouseIn(*desktop.MouseEvent)    { r.hovered = true; r.paint() }
func (r *row) MouseMoved(*desktop.MouseEvent) {}
func (r *row) MouseOut()                      { r.hovered = false; r.paint() }

func (r *row) CreateRenderer() fyne.WidgetRenderer {
	objects := []fyne.CanvasObject{r.ground}
	for _, c := range r.cells {
		objects = append(objects, c)
	}
	return &rowRenderer{r, objects}
}

type rowRenderer struct {
	r       *row
	objects []fyne.CanvasObject
}

func (r *rowRenderer) Layout(size fyne.Size) {
	kit.Place(r.r.ground, 0, 0, size.Width, size.Height)
	p := placesOf(size.Width)
	for i, c := range r.r.cells[:7] {
		w := p[i].w
		if i == 3 { // the subject comes after the method
			w = min(w, c.Measure(c.Text).Width)
			x := p[i].x
			if w > 0 {
				x += w + kit.MonoAdvance(12)
			}
			kit.Place(r.r.cells[7], x, 0, max(p[i].x+p[i].w-x, 0), size.Height)
		}
		c.Hidden = w == 0
		kit.Place(c, p[i].x, 0, w, size.Height)
	}
}

func (r *rowRenderer) MinSize() fyne.Size { return fyne.NewSize(100, rowHeight) }

func (r *rowRenderer) Refresh() {
	r.Layout(r.r.Size())
	for _, c := range r.r.cells {
		c.Refresh()
	}
}

func (r *rowRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *rowRenderer) Destroy()                     {}
