package ui

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/highlight"
	"goated/ui/kit"
	"goated/ui/view/fuzzy"
)

// paletteRows is the maximum number of rows in the palette.
const paletteRows = 100

// paletteRow is the height of a row.
const paletteRow = 40

// A palette finds a command by a few letters of its name. Its field keeps the focus. The arrow
// keys move through the list, and Enter runs the marked command.
type palette struct {
	*kit.Sheet
	input *kit.Input
	all   []command
	found []fuzzy.Ranked
	rows  []*paletteItem
	list  *fyne.Container
	none  *fyne.Container
	at    int
	heads []fyne.CanvasObject // of the sections
	tops  []float32           // the y position of each row

	OnRun func(command)
}

// A paletteItem is one row of the palette.
type paletteItem struct {
	root  *fyne.Container
	spot  *kit.Tappable
	icon  *kit.Icon
	title *highlight.Highlight
	group *kit.Label
	keys  *fyne.Container
	shown string // the ID of the command in the row
}

func newPalette(clk *kit.Clock, all []command) *palette {
	p := &palette{all: all, Sheet: &kit.Sheet{Slot: container.New(kit.Margin{})}}
	p.input = kit.NewInput(clk, "Type a command or search", false)
	p.input.Bare = true
	p.input.OnTyped = p.search
	p.input.OnSubmit = func() { p.choose(p.at) }
	p.input.OnKey = p.key
	p.First = p.input
	p.list = kit.Vertical(0)
	p.heads = newHeadings()
	nothing := kit.NewLabel("Nothing has that name.", 13, kit.ColorMuted)
	nothing.Centre = true
	p.none = kit.Sized(1, 64, nothing)
	p.Body = kit.NewScroller(kit.Inset(kit.Margin{Top: 6, Right: 8, Bottom: 8, Left: 8}, kit.Vertical(0, p.none, p.list)))
	head := kit.Inset(kit.Margin{Top: 8, Right: 16, Bottom: 8, Left: 18}, container.New(kit.Row{Gap: 8, Flex: p.input}, kit.NewIcon("search", 17, kit.ColorMuted), p.input))
	foot := kit.Inset(kit.Margin{Top: 9, Right: 18, Bottom: 10, Left: 18}, kit.Horizontal(6, nil,
		kit.NewKeyCaps(kit.Shortcut{Key: "↑"}), kit.NewKeyCaps(kit.Shortcut{Key: "↓"}), kit.NewLabel("choose", 11, kit.ColorFaint), kit.Sized(6, 1, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)),
		kit.NewKeyCaps(kit.Shortcut{Key: fyne.KeyReturn}), kit.NewLabel("run", 11, kit.ColorFaint), kit.Sized(6, 1, kit.NewPanel(kit.ColorNone, kit.ColorNone, 0)),
		kit.NewKeyCaps(kit.Shortcut{Key: fyne.KeyEscape}), kit.NewLabel("close", 11, kit.ColorFaint)))
	head = kit.Vertical(0, head, kit.NewLine())
	foot = kit.Vertical(0, kit.NewLine(), foot)
	background := kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 16)
	background.Shadow = true
	inner := container.New(&kit.Stacked{Head: head, Body: p.Body.Root, Foot: foot}, head, p.Body.Root, foot)
	card := container.New(kit.Margin{}, background, kit.NewBlocker(nil), inner)
	p.Page = container.New(&paletteLayout{width: 640, height: 540, top: 92, inner: inner, card: card}, card)
	p.Root = container.New(kit.Margin{}, kit.NewPanel(kit.ColorScrim, kit.ColorNone, 0), kit.NewBlocker(p.close), p.Page, p.Slot)
	p.search()
	return p
}

func (p *palette) close() {
	if p.OnClose != nil {
		p.OnClose()
	}
}

// search lists the commands that match the typed words, by section.
func (p *palette) search() {
	p.found = fuzzy.Rank(p.input.Text, len(p.all), func(i int) (title, beside string) {
		if p.all[i].section() == sectionRecent {
			return p.all[i].Title, ""
		}
		return p.all[i].Title, p.all[i].Group.String() + " " + p.all[i].Detail
	})
	p.sort()
	p.at = 0
	for len(p.rows) < len(p.found) {
		c := newChoice()
		i := len(p.rows)
		c.spot.OnTapped = func() { p.choose(i) }
		p.rows = append(p.rows, c)
	}
	p.list.Objects, p.tops = nil, p.tops[:0]
	top, last := float32(0), section(-1)
	for i, m := range p.found {
		if s := p.all[m.Index].section(); s != last {
			p.list.Objects = append(p.list.Objects, p.heads[s])
			top, last = top+paletteHead, s
		}
		p.rows[i].set(p.all[m.Index], m.At)
		p.list.Objects = append(p.list.Objects, p.rows[i].root)
		p.tops = append(p.tops, top)
		top += paletteRow
	}
	p.none.Hidden = len(p.found) > 0
	p.highlightSelected()
	p.Refit()
	p.Body.Scroll.ScrollToTop()
}

// key moves the mark. It reports false for a key that the field must handle itself.
func (p *palette) key(e *fyne.KeyEvent) bool {
	n := len(p.found)
	if n == 0 {
		return false
	}
	switch e.Name {
	case fyne.KeyDown:
		p.at = (p.at + 1) % n
	case fyne.KeyUp:
		p.at = (p.at + n - 1) % n
	case fyne.KeyPageDown:
		p.at = min(p.at+8, n-1)
	case fyne.KeyPageUp:
		p.at = max(p.at-8, 0)
	default:
		return false
	}
	p.highlightSelected()
	return true
}

// highlightSelected highlights the command that Enter runs, and scrolls to it.
func (p *palette) highlightSelected() {
	for i, c := range p.rows {
		if i == p.at {
			c.spot.SetColors(kit.ColorSelected, kit.ColorNone)
		} else {
			c.spot.SetColors(kit.ColorNone, kit.ColorNone)
		}
	}
	s := p.Body.Scroll
	top := float32(6)
	if p.at > 0 { // the first row has its heading above it
		top += p.tops[p.at]
	}
	switch {
	case top < s.Offset.Y:
		s.ScrollToOffset(fyne.NewPos(0, max(top-6, 0)))
	case top+paletteHead+paletteRow > s.Offset.Y+s.Size().Height && s.Size().Height > 0:
		s.ScrollToOffset(fyne.NewPos(0, top+paletteHead+paletteRow+8-s.Size().Height))
	}
}

func (p *palette) choose(i int) {
	if i < len(p.found) && p.OnRun != nil {
		p.OnRun(p.all[p.found[i].Index])
	}
}

func newChoice() *paletteItem {
	c := &paletteItem{spot: kit.NewTappable(9, nil), icon: kit.NewIcon("search", 16, kit.ColorMuted), title: highlight.New(14), group: kit.NewLabel("", 12, kit.ColorFaint), keys: kit.NewKeyCaps(kit.Shortcut{})}
	c.spot.SkipTab = true
	inner := kit.Inset(kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 12}, container.New(kit.Row{Gap: 12, Flex: c.title}, c.icon, c.title, c.group, c.keys))
	c.root = container.New(kit.Fixed{Min: fyne.NewSize(1, paletteRow)}, c.spot, inner)
	return c
}

func (c *paletteItem) set(k command, at []int) {
	c.title.Set(k.Title, at)
	if c.shown == k.ID && k.ID != "" { // only the marked letters have changed
		return
	}
	c.shown = k.ID
	c.icon.Set(k.Icon, kit.ColorMuted)
	c.group.Set(cmp.Or(k.Detail, k.Group.String()))
	c.keys.Objects = kit.NewKeyCaps(k.Shortcut).Objects
	c.keys.Hidden = len(c.keys.Objects) == 0
}

// paletteLayout is the layout of the palette. Its top is fixed, so the field does not move when
// the list grows or shrinks.
type paletteLayout struct {
	width, height, top float32
	inner, card        fyne.CanvasObject
}

func (l *paletteLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := min(l.width, size.Width-40)
	top := min(l.top, size.Height/8)
	h := min(kit.HeightOf(l.inner, w), l.height, size.Height-2*top)
	kit.Place(l.card, float32(int((size.Width-w)/2)), top, w, h)
}

func (l *paletteLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// openPalette shows all commands that are enabled now.
func (t *commandTable) openPalette() {
	var all []command
	for _, c := range t.all() {
		if c.ID != "palette" && !isNumbered(c) && (c.Enabled == nil || c.Enabled()) {
			all = append(all, c)
		}
	}
	p := newPalette(t.win.shell.Clock, append(all, t.inContext()...))
	p.OnClose = func() { t.win.shell.Sheets.Shut(p.Sheet) }
	p.OnRun = func(c command) {
		t.win.shell.Sheets.Shut(p.Sheet)
		t.run(c)
	}
	t.win.shell.Sheets.Open(p.Sheet)
}

// isNumbered reports whether a command opens a conversation by its number. The
// palette lists conversations by title instead.
func isNumbered(c command) bool {
	return len(c.Shortcut.Key) == 1 && c.Shortcut.Key >= "1" && c.Shortcut.Key <= "9"
}
