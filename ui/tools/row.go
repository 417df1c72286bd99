package tools

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/virtual"
)

// columns are the horizontal edges of the columns: the right edges of the numbers, and both
// edges of the name and of the state.
type columns struct {
	nameX, nameEnd, stateX, stateEnd float32
	tools, tokens, used, on          float32 // 0: hidden
}

// columnsAt returns the columns of a row with the given width. A narrow row has fewer columns.
func columnsAt(width float32) columns {
	c := columns{nameX: 92, on: width - 20}
	edge := c.on - 56
	if width >= 820 {
		c.used = c.on - 70
		edge = c.used - 98
	}
	if width >= 660 {
		c.tokens = edge
		edge -= 74
	}
	c.tools = edge
	c.stateX = c.tools - 206
	if width < 660 {
		c.stateX = c.tools - 150
	}
	c.stateEnd, c.nameEnd = c.tools-44, c.stateX-12
	return c
}

// headLayout places the names of the columns: server, state, tools, tokens, last used and on.
type headLayout struct{}

func (headLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	c := columnsAt(size.Width - virtual.VarListBar)
	kit.Place(o[0], c.nameX+2, 0, 80, 16)
	kit.Place(o[1], c.stateX, 0, 80, 16)
	for i, edge := range []float32{c.tools, c.tokens, c.used, c.on} {
		o[2+i].Move(fyne.NewPos(edge-80, 0))
		o[2+i].Resize(fyne.NewSize(80, 16))
		if edge == 0 {
			o[2+i].Hide()
		} else {
			o[2+i].Show()
		}
	}
}

func (headLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 22) }

// barLayout places the search field, the filters, and the import button at the right end. The
// search field shrinks down to the width of its hint. If even that is too wide, the field is on
// a separate line.
type barLayout struct{}

// These are the minimum and the usual width of the search field, its height, and the gap
// between the parts.
const (
	leastSearch = 230
	usualSearch = 320
	searchLine  = 36
	barGap      = 16
)

// search returns the width of the search field, and whether the other parts fit beside it.
func (barLayout) search(o []fyne.CanvasObject, width float32) (search float32, beside bool) {
	room := width - o[1].MinSize().Width - o[2].MinSize().Width - 2*barGap
	if room < leastSearch {
		return width, false
	}
	return min(usualSearch, room), true
}

func (l barLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	search, beside := l.search(o, size.Width)
	kit.Place(o[0], 0, 0, search, searchLine)
	x, y, high := search+barGap, float32(0), size.Height
	if !beside {
		x, y = 0, searchLine+barGap/2
		high -= y
	}
	filters, bring := o[1].MinSize(), o[2].MinSize()
	kit.Place(o[1], x, y+(high-filters.Height)/2, filters.Width, filters.Height)
	kit.Place(o[2], size.Width-bring.Width, y+(high-bring.Height)/2, bring.Width, bring.Height)
}

func (l barLayout) HeightFor(o []fyne.CanvasObject, width float32) float32 {
	line := max(searchLine, o[1].MinSize().Height, o[2].MinSize().Height)
	if _, beside := l.search(o, width); !beside {
		return line + searchLine + barGap/2
	}
	return line
}

func (l barLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, searchLine) }

// pageLayout puts the list, or the words in its place, below the fixed part. It limits the
// width to widest, because the eye loses the line between a name and its state in a wider row.
type pageLayout struct{ top fyne.CanvasObject }

const widest = 1120

func (l pageLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	width := min(size.Width, widest)
	x := float32(int((size.Width - width) / 2))
	top := kit.HeightOf(l.top, width)
	kit.Place(l.top, x, 0, width, top)
	for _, below := range o[1:] {
		kit.Place(below, x, top, width, max(size.Height-top, 0))
	}
}

func (pageLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, 200) }

// A serverRow draws a server.
type serverRow struct {
	list *list
	row  row
	root *fyne.Container
	tap  *kit.Tappable

	chevron      *kit.Icon
	badge        *kit.Panel
	letters      *kit.Label
	name, source *kit.Label
	dot          *kit.Panel
	spin         *kit.Spinner
	state        *kit.Label
	numbers      [3]*kit.Label // tools, tokens, last used
	on           *kit.Toggle
}

func newServerRow(l *list) *serverRow {
	s := &serverRow{list: l}
	s.tap = kit.NewTappable(9, func() { l.fold(s.row) })
	s.tap.SkipTab = true
	s.chevron = kit.NewIcon("chevron-right", 14, kit.ColorMuted)
	s.badge = kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8)
	s.letters = kit.NewLabel("", 12, kit.ColorPrimary).Strong()
	s.letters.Centre = true
	s.name = kit.NewLabel("", 13, kit.ColorText).Strong().Elided()
	s.source = kit.NewLabel("", 11, kit.ColorMuted).Mono().Elided()
	s.dot = kit.NewPanel(kit.ColorGood, kit.ColorNone, 4)
	s.spin = kit.NewSpinner(l.page.Clock)
	s.state = kit.NewLabel("", 13, kit.ColorGood).Elided()
	for i := range s.numbers {
		s.numbers[i] = kit.NewLabel("", 13, kit.ColorText)
		s.numbers[i].Right = true
	}
	s.numbers[2].Paint(kit.ColorMuted)
	s.on = kit.NewToggle(false, func(on bool) { l.page.switchServer(s.row, on) }).Small()
	s.on.SkipTab()
	s.root = container.New(serverLayout{s}, s.tap, s.chevron, s.badge, s.letters, s.name, s.source, s.dot, s.spin, s.state, s.numbers[0], s.numbers[1], s.numbers[2], s.on.Root)
	return s
}

// bind shows a server.
func (s *serverRow) bind(r row) {
	s.row = r
	icon := "chevron-right"
	if s.list.opened(r) {
		icon = "chevron-down"
	}
	s.chevron.Set(icon, kit.ColorMuted)
	fill, ink, name := kit.ColorSoft, kit.ColorPrimary, kit.ColorText
	if !r.on {
		fill, ink, name = kit.ColorBubble, kit.ColorMuted, kit.ColorMuted
	}
	s.badge.Paint(fill, kit.ColorNone)
	s.letters.Paint(ink)
	s.letters.Set(initials(r.name))
	s.name.Paint(name)
	s.name.Set(r.name)
	s.source.Set(r.source)
	s.state.Set(r.state.words)
	s.state.Paint(r.state.color)
	s.spin.SetRunning(r.state.starts)
	s.dot.Hidden = r.state.starts
	if r.state.color == kit.ColorMuted {
		s.dot.Paint(kit.ColorNone, kit.ColorEdge)
	} else {
		s.dot.Paint(r.state.color, kit.ColorNone)
	}
	count, cost := "", ""
	if len(r.tools) > 0 {
		count, cost = fmt.Sprint(r.callable()), tokens(r.tokens)
	}
	s.numbers[0].Set(count)
	s.numbers[1].Set(cost)
	number := kit.ColorText
	if !r.on || r.server.ID == "" || len(r.server.Last) > 0 {
		number = kit.ColorMuted // the number comes from the last start
	}
	s.numbers[0].Paint(number)
	s.numbers[1].Paint(number)
	s.numbers[2].Set(lastUsed(r.used, s.list.page.Now()))
	s.on.Set(r.on)
	stroke := kit.ColorNone
	if s.list.marked(place{row: r.key()}) {
		stroke = kit.ColorAccent
	}
	s.tap.SetColors(kit.ColorNone, stroke)
	s.root.Layout.Layout(s.root.Objects, s.root.Size())
}

// serverLayout places the parts of a server's row.
type serverLayout struct{ s *serverRow }

func (l serverLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	s, c := l.s, columnsAt(size.Width)
	if size.Width == 0 {
		return
	}
	kit.Place(s.tap, 20, 1, size.Width-32, rowHeight-2)
	kit.Place(s.chevron, 28, 15, 14, 14)
	kit.Place(s.badge, 52, 7, 30, 30)
	kit.Place(s.letters, 52, 7, 30, 30)
	kit.Place(s.name, c.nameX, 4, max(c.nameEnd-c.nameX, 0), 20)
	kit.Place(s.source, c.nameX, 23, max(c.nameEnd-c.nameX, 0), 16)
	kit.Place(s.dot, c.stateX, 18, 8, 8)
	kit.Place(s.spin, c.stateX, 14, 16, 16)
	shift := float32(16)
	if s.row.state.starts {
		shift = 24
	}
	kit.Place(s.state, c.stateX+shift, 12, max(c.stateEnd-c.stateX-shift, 0), 20)
	for i, edge := range []float32{c.tools, c.tokens, c.used} {
		s.numbers[i].Hidden = edge == 0
		kit.Place(s.numbers[i], edge-90, 12, 90, 20)
	}
	kit.Place(s.on.Root, c.on-32, 12, 32, 20)
}

func (serverLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(300, rowHeight) }
