package artifacts

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/servers/llmem/browse"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/virtual"
)

const rowHeight = 28

// A tree shows the files of the workspace. Its folders can be folded.
type tree struct {
	*virtual.List
	page   *Page
	root   *fyne.Container
	find   *kit.Input
	nodes  []browse.Node
	shown  []item          // the visible rows
	open   map[string]bool // the open folders
	chosen string          // the key of the selected item
	finds  symbolSearch
}

func newTree(p *Page) *tree {
	t := &tree{page: p, open: make(map[string]bool), find: kit.NewInput(p.shell.Clock, "Find a file or a symbol", false)}
	t.List = virtual.NewList(rowHeight, 0, func() fyne.CanvasObject { return newNodeRow(t) }, func(i int, o fyne.CanvasObject) { o.(*nodeRow).show(i) })
	t.OnKey = t.key
	t.find.OnTyped = t.search
	t.find.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyDown:
			kit.Focus(t.List)
			t.step(1)
		case fyne.KeyF5:
			p.Reload()
		default:
			return false
		}
		return true
	}
	t.find.OnSubmit = func() {
		if i := slices.IndexFunc(t.shown, func(n item) bool { return !n.Folder }); i >= 0 {
			t.choose(i)
		}
	}
	field := kit.NewField(t.find)
	field.Objects[1] = kit.Inset(kit.Margin{Top: 0, Right: 3, Bottom: 0, Left: 10}, kit.Horizontal(0, t.find, kit.NewIcon("search", 15, kit.ColorFaint), t.find))
	sign := func(s browse.State, says string) fyne.CanvasObject {
		return kit.Horizontal(8, nil, kit.Sized(8, 8, newDot(s)), kit.NewLabel(says, 12, kit.ColorMuted))
	}
	legend := kit.Inset(kit.Margin{Top: 0, Right: 12, Bottom: 0, Left: 22}, container.New(kit.Flow{Gap: 8}, kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 0, Left: 0}, sign(browse.Outdated, "Out of date")), sign(browse.Missing, "No summary")))
	t.root = container.New(treeLayout{}, field, t.Root, legend)
	return t
}

type treeLayout struct{}

func (treeLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	kit.Place(o[0], 12, 10, size.Width-24, 36)
	signs := kit.HeightOf(o[2], size.Width)
	foot := max(40, signs+16)
	kit.Place(o[1], 4, 54, size.Width-8, max(size.Height-54-foot, 0))
	kit.Place(o[2], 0, size.Height-(foot+signs)/2, size.Width, signs)
}

func (treeLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, 120) }

// newDot returns the mark for a state: a filled dot, a ring, or nothing.
func newDot(s browse.State) *kit.Panel {
	p := kit.NewPanel(kit.ColorNone, kit.ColorNone, 4)
	paintDot(p, s)
	return p
}

func paintDot(p *kit.Panel, s browse.State) {
	switch s {
	case browse.Outdated:
		p.Paint(kit.ColorWarn, kit.ColorNone)
	case browse.Missing:
		p.Paint(kit.ColorNone, kit.ColorFaint)
	default:
		p.Paint(kit.ColorNone, kit.ColorNone)
	}
}

// reset clears the tree.
func (t *tree) reset() {
	t.nodes, t.chosen = nil, ""
	t.finds.stop()
	clear(t.open)
	t.find.Put("")
	t.fold()
}

// show shows a tree. Open folders stay open. A small tree is initially open at its first level.
func (t *tree) show(tr browse.Tree) {
	first := len(t.nodes) == 0
	t.nodes = tr.Nodes
	if first {
		for _, n := range t.nodes {
			if n.Folder && !strings.Contains(n.Path, "/") && len(t.nodes) < 60 {
				t.open[n.Path] = true
			}
		}
	}
	t.fold()
}

// search shows the files whose paths contain the words in the field, and the symbols whose names
// contain them.
func (t *tree) search() {
	t.finds.begin(t)
	t.fold()
	t.ScrollTo(0)
}

// fold computes the rows.
func (t *tree) fold() {
	t.shown = t.shown[:0]
	words := strings.Fields(strings.ToLower(t.find.Text))
	hidden := ""
	for _, n := range t.nodes {
		if len(words) > 0 {
			low := strings.ToLower(n.Path)
			if !n.Folder && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(low, w) }) {
				t.shown = append(t.shown, item{Node: n})
			}
			continue
		}
		if hidden != "" && strings.HasPrefix(n.Path, hidden) {
			continue
		}
		hidden = ""
		t.shown = append(t.shown, item{Node: n})
		if n.Folder && !t.open[n.Path] {
			hidden = n.Path + "/"
		}
	}
	if len(words) > 0 {
		for i := range t.finds.found {
			p := &t.finds.found[i]
			t.shown = append(t.shown, item{browse.Node{Path: p.Path, Source: true}, p})
		}
	}
	t.Set(len(t.shown))
}

// reveal opens the folders above a path and selects it.
func (t *tree) reveal(path string) {
	t.find.Put("")
	for i := range path {
		if path[i] == '/' {
			t.open[path[:i]] = true
		}
	}
	t.fold()
	if i := slices.IndexFunc(t.shown, func(n item) bool { return n.Path == path }); i >= 0 {
		t.choose(i)
	}
}

// choose selects row i and shows its file.
func (t *tree) choose(i int) {
	if i < 0 || i >= len(t.shown) {
		return
	}
	n := t.shown[i]
	t.chosen = n.key()
	t.Reveal(i)
	t.Redraw()
	t.page.file.show(n.Path, n.line())
}

// toggle opens or folds the folder of row i.
func (t *tree) toggle(i int, open bool) {
	if n := t.shown[i]; n.Folder && t.open[n.Path] != open {
		t.open[n.Path] = open
		t.fold()
	}
}

func (t *tree) at() int {
	return slices.IndexFunc(t.shown, func(n item) bool { return n.key() == t.chosen })
}

func (t *tree) step(by int) { t.choose(max(min(t.at()+by, len(t.shown)-1), 0)) }

func (t *tree) key(e *fyne.KeyEvent) bool {
	i := t.at()
	switch e.Name {
	case fyne.KeyDown:
		t.step(1)
	case fyne.KeyUp:
		t.step(-1)
	case fyne.KeyHome:
		t.choose(0)
	case fyne.KeyEnd:
		t.choose(len(t.shown) - 1)
	case fyne.KeyRight, fyne.KeyLeft:
		if i < 0 {
			return false
		}
		n := t.shown[i]
		if e.Name == fyne.KeyLeft && (!n.Folder || !t.open[n.Path]) {
			if up := strings.LastIndexByte(n.Path, '/'); up > 0 && t.find.Text == "" {
				t.choose(slices.IndexFunc(t.shown, func(o item) bool { return o.Path == n.Path[:up] }))
			}
			return true
		}
		t.toggle(i, e.Name == fyne.KeyRight)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if i < 0 {
			return false
		}
		t.toggle(i, !t.open[t.chosen])
	default:
		return false
	}
	return true
}

// A nodeRow shows one file or folder.
type nodeRow struct {
	widget.BaseWidget
	t       *tree
	at      int
	hovered bool
	ground  *kit.Panel
	chevron *kit.Icon
	icon    *kit.Icon
	name    *kit.Label
	note    *kit.Label // the file of a symbol, or the reason why a file has no dot
	dot     *kit.Panel
}

func newNodeRow(t *tree) *nodeRow {
	r := &nodeRow{t: t, ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 8), chevron: kit.NewIcon("chevron-right", 12, kit.ColorMuted),
		icon: kit.NewIcon("file", 14, kit.ColorMuted), name: kit.NewLabel("", 13, kit.ColorText).Elided(), note: kit.NewLabel("", 12, kit.ColorMuted).Elided(), dot: newDot(browse.Current)}
	r.ExtendBaseWidget(r)
	return r
}

func (r *nodeRow) node() (item, bool) {
	if r.at >= len(r.t.shown) {
		return item{}, false
	}
	return r.t.shown[r.at], true
}

func (r *nodeRow) show(i int) {
	r.at = i
	n, _ := r.node()
	r.name.Text = view.SingleLine(n.Name())
	if r.t.find.Text != "" {
		r.name.Text = view.SingleLine(n.Path)
	}
	r.chevron.Hidden = !n.Folder
	r.icon.Set("file", kit.ColorMuted)
	r.note.Text = ""
	if n.Unfit {
		r.note.Text = "no summary possible"
	}
	if n.symbol != nil {
		r.icon.Set("cube", kit.ColorMuted)
		r.name.Text, r.note.Text = view.SingleLine(n.name()), view.SingleLine(n.Node.Name())
	}
	if n.Folder {
		r.icon.Set("folder", kit.ColorMuted)
		r.chevron.Set("chevron-right", kit.ColorMuted)
		if r.t.open[n.Path] {
			r.chevron.Set("chevron-down", kit.ColorMuted)
		}
	}
	paintDot(r.dot, n.State)
	r.paint()
	r.Refresh()
}

func (r *nodeRow) paint() {
	n, ok := r.node()
	switch {
	case ok && n.key() == r.t.chosen:
		r.ground.Paint(kit.ColorSelected, kit.ColorNone)
	case r.hovered:
		r.ground.Paint(theme.ColorNameHover, kit.ColorNone)
	default:
		r.ground.Paint(kit.ColorNone, kit.ColorNone)
	}
}

func (r *nodeRow) Tapped(*fyne.PointEvent) {
	n, ok := r.node()
	if !ok {
		return
	}
	kit.Focus(r.t.List)
	if n.Folder {
		r.t.toggle(r.at, n.key() != r.t.chosen || !r.t.open[n.Path])
	}
	r.t.choose(slices.IndexFunc(r.t.shown, func(o item) bool { return o.key() == n.key() }))
}

func (r *nodeRow) MouseIn(*desktop.MouseEvent)    { r.hovered = true; r.paint() }
func (r *nodeRow) MouseMoved(*desktop.MouseEvent) {}
func (r *nodeRow) MouseOut()                      { r.hovered = false; r.paint() }

func (r *nodeRow) CreateRenderer() fyne.WidgetRenderer {
	return &nodeRenderer{r, []fyne.CanvasObject{r.ground, r.chevron, r.icon, r.name, r.note, r.dot}}
}

type nodeRenderer struct {
	r       *nodeRow
	objects []fyne.CanvasObject
}

func (r *nodeRenderer) Layout(size fyne.Size) {
	w := r.r
	kit.Place(w.ground, 4, 0, size.Width-8, size.Height)
	depth := 0
	if n, ok := w.node(); ok && w.t.find.Text == "" {
		depth = min(strings.Count(n.Path, "/"), 8)
	}
	x := 14 + float32(depth)*16
	kit.Place(w.chevron, x, (size.Height-12)/2, 12, 12)
	kit.Place(w.icon, x+18, (size.Height-14)/2, 14, 14)
	room := max(size.Width-x-40-30, 10)
	name := room
	if w.note.Text != "" {
		name = min(w.name.Measure(w.name.Text).Width, room)
		kit.Place(w.note, x+40+name+8, 0, max(room-name-8, 0), size.Height)
	}
	kit.Place(w.name, x+40, 0, name, size.Height)
	kit.Place(w.dot, size.Width-26, (size.Height-8)/2, 8, 8)
}

func (r *nodeRenderer) MinSize() fyne.Size { return fyne.NewSize(80, rowHeight) }

func (r *nodeRenderer) Refresh() {
	r.Layout(r.r.Size())
	r.r.name.Refresh()
	r.r.note.Hidden = r.r.note.Text == ""
	r.r.note.Refresh()
}

func (r *nodeRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *nodeRenderer) Destroy()                     {}
