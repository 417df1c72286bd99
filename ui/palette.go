package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// paletteRows is how many commands the palette shows at most.
const paletteRows = 50

// paletteRow is how high one of them is.
const paletteRow = 40

// A palette finds a command by some letters of its name. Its field keeps the
// focus: the arrows move through the list, and Enter runs what is marked.
type palette struct {
	*sheet
	input *input
	all   []command
	found []view.Ranked
	rows  []*choice
	list  *fyne.Container
	none  *fyne.Container
	at    int

	OnRun func(command)
}

// A choice is one row of the palette.
type choice struct {
	root  *fyne.Container
	spot  *hotspot
	icon  *glyph
	title *lettered
	group *label
	keys  *fyne.Container
}

func newPalette(clk *clock, all []command) *palette {
	p := &palette{all: all, sheet: &sheet{slot: container.New(margin{})}}
	p.input = newInput(clk, "What shall goated do?", false)
	p.input.bare = true
	p.input.OnTyped = p.search
	p.input.OnSubmit = func() { p.choose(p.at) }
	p.input.OnKey = p.key
	p.first = p.input
	p.list = vertical(0)
	nothing := newLabel("Nothing here goes by that name.", 13, colorMuted)
	nothing.centre = true
	p.none = sized(1, 64, nothing)
	p.body = newScroller(inset(margin{6, 8, 8, 8}, vertical(0, p.none, p.list)))
	head := inset(margin{8, 16, 8, 18}, container.New(row{gap: 8, flex: p.input}, newGlyph("search", 17, colorMuted), p.input))
	foot := inset(margin{9, 18, 10, 18}, horizontal(6, nil,
		newKeys(shortcut{key: "↑"}), newKeys(shortcut{key: "↓"}), newLabel("choose", 11, colorFaint), sized(6, 1, newPanel(colorNone, colorNone, 0)),
		newKeys(shortcut{key: fyne.KeyReturn}), newLabel("run", 11, colorFaint), sized(6, 1, newPanel(colorNone, colorNone, 0)),
		newKeys(shortcut{key: fyne.KeyEscape}), newLabel("close", 11, colorFaint)))
	head = vertical(0, head, newLine())
	foot = vertical(0, newLine(), foot)
	ground := newPanel(colorSurface, colorBorder, 16)
	ground.shadow = true
	inner := container.New(&stacked{head: head, body: p.body.root, foot: foot}, head, p.body.root, foot)
	card := container.New(margin{}, ground, newCatch(nil), inner)
	p.page = container.New(&hung{width: 640, height: 540, top: 92, inner: inner, card: card}, card)
	p.root = container.New(margin{}, newPanel(colorScrim, colorNone, 0), newCatch(p.close), p.page, p.slot)
	p.search()
	return p
}

func (p *palette) close() {
	if p.OnClose != nil {
		p.OnClose()
	}
}

// search shows what fits the words that were typed.
func (p *palette) search() {
	p.found = view.Rank(p.input.Text, len(p.all), func(i int) (title, beside string) {
		return p.all[i].Title, p.all[i].Group.String() + " " + p.all[i].Detail
	})
	p.found = p.found[:min(len(p.found), paletteRows)]
	p.at = 0
	for len(p.rows) < len(p.found) {
		c := newChoice()
		i := len(p.rows)
		c.spot.OnTapped = func() { p.choose(i) }
		p.rows = append(p.rows, c)
	}
	p.list.Objects = nil
	for i, m := range p.found {
		p.rows[i].set(p.all[m.Index], m.At)
		p.list.Objects = append(p.list.Objects, p.rows[i].root)
	}
	p.none.Hidden = len(p.found) > 0
	p.mark()
	p.refit()
	p.body.scroll.ScrollToTop()
}

// key moves the mark; other keys are the field's.
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
	p.mark()
	return true
}

// mark shows which one Enter runs, and brings it into sight.
func (p *palette) mark() {
	for i, c := range p.rows {
		if i == p.at {
			c.spot.rest(colorSelected, colorNone)
		} else {
			c.spot.rest(colorNone, colorNone)
		}
	}
	s := p.body.scroll
	top := float32(p.at)*paletteRow + 6
	switch {
	case top < s.Offset.Y:
		s.ScrollToOffset(fyne.NewPos(0, max(top-6, 0)))
	case top+paletteRow > s.Offset.Y+s.Size().Height && s.Size().Height > 0:
		s.ScrollToOffset(fyne.NewPos(0, top+paletteRow+8-s.Size().Height))
	}
}

func (p *palette) choose(i int) {
	if i < len(p.found) && p.OnRun != nil {
		p.OnRun(p.all[p.found[i].Index])
	}
}

func newChoice() *choice {
	c := &choice{spot: newHotspot(9, nil), icon: newGlyph("search", 16, colorMuted), title: newLettered(14), group: newLabel("", 12, colorFaint), keys: newKeys(shortcut{})}
	c.spot.still = true
	inner := inset(margin{0, 10, 0, 12}, container.New(row{gap: 12, flex: c.title}, c.icon, c.title, c.group, c.keys))
	c.root = container.New(fixed{fyne.NewSize(1, paletteRow)}, c.spot, inner)
	return c
}

func (c *choice) set(k command, at []int) {
	c.icon.set(k.Icon, colorMuted)
	c.title.set(k.Title, at)
	c.group.set(k.Group.String())
	if k.Detail != "" {
		c.group.set(k.Detail)
	}
	c.keys.Objects = newKeys(k.Shortcut).Objects
	c.keys.Hidden = len(c.keys.Objects) == 0
}

// hung is the layout of the palette: it hangs from the top, so that its field
// stays where it is while the list under it grows and shrinks.
type hung struct {
	width, height, top float32
	inner, card        fyne.CanvasObject
}

func (l *hung) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	w := min(l.width, size.Width-40)
	top := min(l.top, size.Height/8)
	h := min(heightOf(l.inner, w), l.height, size.Height-2*top)
	place(l.card, float32(int((size.Width-w)/2)), top, w, h)
}

func (l *hung) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// openPalette shows everything that can be done now.
func (w *Window) openPalette() {
	var all []command
	for _, c := range w.commands() {
		if c.ID != "palette" && !isNumbered(c) && (c.Enabled == nil || c.Enabled()) {
			all = append(all, c)
		}
	}
	p := newPalette(w.clock, append(all, w.places()...))
	p.OnClose = func() { w.shut(p.sheet) }
	p.OnRun = func(c command) {
		w.shut(p.sheet)
		w.run(c)
	}
	w.open(p.sheet)
}

// isNumbered reports whether a command is one of those for the conversations'
// numbers, which the palette lists by their titles instead.
func isNumbered(c command) bool {
	return len(c.Shortcut.key) == 1 && c.Shortcut.key >= "1" && c.Shortcut.key <= "9"
}
