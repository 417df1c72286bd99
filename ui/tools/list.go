package tools

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"goated/ui/kit"
	"goated/ui/virtual"
)

// These are the heights of rows.
const (
	rowHeight  = 44
	headHeight = 40 // of the sentence above the tools
	toolHeight = 28
	someTools  = 8 // shown until the user asks for all tools of a server
)

// These are the kinds of rows.
const (
	kindServer = iota
	kindDetails
	kindPad
)

// A place is the server or the tool that keys act on.
type place struct {
	row  string // the key of its row
	tool string // the name of the tool; empty: the server itself
}

// A list is the list of servers. The keys of the page act on one place in it.
type list struct {
	widget.BaseWidget
	page    *Page
	root    *fyne.Container
	view    *virtual.VarList
	shown   []row
	open    map[string]bool // by key: the servers that show their tools
	full    map[string]bool // by key: those of them that show all their tools
	search  bool            // every server shows the tools that the search found
	at      place
	focused bool
	cards   map[string]*card // the cards of the open servers
	width   float32          // the width for which the cards are measured
}

func newList(p *Page) *list {
	l := &list{page: p, open: make(map[string]bool), full: make(map[string]bool), cards: make(map[string]*card)}
	l.ExtendBaseWidget(l)
	l.view = virtual.NewVarList()
	l.view.Make = func(kind int) (fyne.CanvasObject, any) {
		switch kind {
		case kindServer:
			s := newServerRow(l)
			return s.root, s
		case kindDetails:
			c := container.New(kit.Margin{})
			return c, c
		}
		return container.New(kit.Margin{}), nil
	}
	l.view.Bind = func(v virtual.VarRow, drawn any) {
		switch v.Kind {
		case kindServer:
			drawn.(*serverRow).bind(l.shown[v.At])
		case kindDetails:
			c := drawn.(*fyne.Container)
			if root := l.card(l.shown[v.At]).root; len(c.Objects) != 1 || c.Objects[0] != root {
				c.Objects = []fyne.CanvasObject{root}
				c.Refresh()
			}
		}
	}
	l.view.Free = func(drawn any) {
		if s, ok := drawn.(*serverRow); ok {
			s.spin.SetRunning(false)
		}
	}
	l.root = container.New(listLayout{l: l}, l, l.view.Root)
	return l
}

// listLayout fills the page with the list. When the width changes, it measures the cards again.
type listLayout struct {
	kit.Margin
	l *list
}

func (y listLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	y.Margin.Layout(objects, size)
	if y.l.width == y.l.view.Width {
		return
	}
	if y.l.width = y.l.view.Width; len(y.l.cards) > 0 {
		for _, c := range y.l.cards {
			c.measure(y.l.width)
		}
		y.l.redraw()
	}
}

// show replaces the rows. If search is true, servers with matching tools open.
func (l *list) show(rows []row, search bool) {
	l.shown, l.search = rows, search
	list := []virtual.VarRow{{Kind: kindPad, Height: 4}}
	for i, r := range rows {
		list = append(list, virtual.VarRow{Kind: kindServer, At: i, Height: rowHeight})
		if l.opened(r) {
			list = append(list, virtual.VarRow{Kind: kindDetails, At: i, Height: l.card(r).height})
		}
	}
	list = append(list, virtual.VarRow{Kind: kindPad, Height: 16})
	for key := range l.cards {
		if !slices.ContainsFunc(rows, func(r row) bool { return r.key() == key && l.opened(r) }) {
			delete(l.cards, key)
		}
	}
	l.view.Show(list)
}

func (l *list) redraw() { l.show(l.shown, l.search) }

// opened reports whether a server shows its tools.
func (l *list) opened(r row) bool {
	if l.search && len(r.tools) > 0 {
		return true
	}
	return l.open[r.key()]
}

// card returns the card of an open server. It draws a new card after a change.
func (l *list) card(r row) *card {
	key := r.key()
	if c := l.cards[key]; c != nil && c.same(l, r) {
		return c
	}
	l.cards[key] = newCard(l, r)
	return l.cards[key]
}

// fold opens or closes a server.
func (l *list) fold(r row) {
	l.at = place{row: r.key()}
	l.open[r.key()] = !l.open[r.key()]
	l.redraw()
}

func (l *list) close() {
	for _, s := range l.view.Bound {
		l.view.Free(s.Row)
	}
}

// places returns all places in order.
func (l *list) places() (all []place) {
	for _, r := range l.shown {
		all = append(all, place{row: r.key()})
		if l.opened(r) {
			for _, t := range l.toolsOf(r) {
				all = append(all, place{r.key(), t.entry.Tool.Name})
			}
		}
	}
	return all
}

// toolsOf returns the tools that an open server shows.
func (l *list) toolsOf(r row) []tool {
	if l.full[r.key()] || l.search || len(r.tools) <= someTools+1 {
		return r.tools
	}
	return r.tools[:someTools]
}

// chosen returns the row and the tool of the current place. ok is false if the place does not
// exist.
func (l *list) chosen() (r row, t tool, ok bool) {
	i := slices.IndexFunc(l.shown, func(r row) bool { return r.key() == l.at.row })
	if i < 0 {
		return r, t, false
	}
	r = l.shown[i]
	if l.at.tool == "" {
		return r, t, true
	}
	j := slices.IndexFunc(r.tools, func(t tool) bool { return t.entry.Tool.Name == l.at.tool })
	if j < 0 {
		return r, t, false
	}
	return r, r.tools[j], true
}

// key handles a key of the page. The arrow keys move, Right and Left open and close a server,
// Space switches, and Enter opens the details.
func (l *list) key(e *fyne.KeyEvent) bool {
	r, t, ok := l.chosen()
	switch e.Name {
	case fyne.KeyDown:
		l.move(1)
	case fyne.KeyUp:
		l.move(-1)
	case fyne.KeyHome, fyne.KeyEnd:
		if all := l.places(); len(all) > 0 {
			if l.at = all[0]; e.Name == fyne.KeyEnd {
				l.at = all[len(all)-1]
			}
			l.reveal()
		}
	case fyne.KeyRight, fyne.KeyLeft:
		if open := e.Name == fyne.KeyRight; ok && l.open[r.key()] != open {
			l.fold(r)
			l.reveal()
		}
	case fyne.KeySpace:
		switch {
		case ok && l.at.tool != "" && t.wrong == "":
			l.page.switchTool(r, t, !t.on)
		case ok && l.at.tool == "":
			l.page.switchServer(r, !r.on)
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		if ok && r.server.ID != "" {
			l.page.On.Open(r.server.ID, l.at.tool)
		} else if ok {
			l.fold(r)
		}
	default:
		return false
	}
	return true
}

// move moves the current place by a number of rows.
func (l *list) move(by int) {
	all := l.places()
	if len(all) == 0 {
		return
	}
	i := slices.Index(all, l.at)
	if i < 0 && by > 0 {
		i = -1
	}
	l.at = all[min(max(i+by, 0), len(all)-1)]
	l.reveal()
}

// reveal highlights the current place and scrolls it into view.
func (l *list) reveal() {
	l.focused = true
	l.redraw()
	for i, v := range l.view.Rows {
		if v.Kind != kindPad && l.shown[v.At].key() == l.at.row && (v.Kind == kindDetails) == (l.at.tool != "") {
			l.view.Reveal(i)
		}
	}
}

// marked reports whether a place is highlighted as the one that keys act on.
func (l *list) marked(p place) bool { return l.focused && l.at == p }

func (l *list) FocusGained() {
	l.focused = true
	if _, _, ok := l.chosen(); !ok && len(l.shown) > 0 {
		l.at = place{row: l.shown[0].key()}
	}
	l.redraw()
}

func (l *list) FocusLost() { l.focused = false; l.redraw() }

func (l *list) TypedRune(r rune) { kit.PassRune(l, r) }

func (l *list) TypedKey(e *fyne.KeyEvent) {
	if !l.key(e) {
		kit.PassKey(l, e)
	}
}

func (l *list) TypedShortcut(s fyne.Shortcut) { kit.PassShortcut(l, s) }

func (l *list) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(kit.NewPanel(kit.ColorNone, kit.ColorNone, 0))
}
