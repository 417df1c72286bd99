package inspector

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/inspect"
	"goated/ui/kit"
)

const (
	tileHeight = 72
	tileLeast  = 220 // the minimal width of a tile
	tileGap    = 8
	arrowWidth = 28
)

// tiles show the statistics of the tools in the order of their calls, as many as fit. Arrows lead
// to the others.
type tiles struct {
	page       *Page
	root       *fyne.Container
	all        []inspect.Figures
	first      int
	cells      []*tile
	left, away *kit.Button
	table      *kit.Button // opens the table of all statistics
}

func newTiles(p *Page) *tiles {
	t := &tiles{page: p}
	t.left = kit.NewButton(kit.Ghost, "chevron-left", "", func() { t.step(-1) }).Small()
	t.away = kit.NewButton(kit.Ghost, "chevron-right", "", func() { t.step(1) }).Small()
	t.table = kit.NewButton(kit.Ghost, "list", "", func() { p.openFigures() }).Small()
	p.shell.Tips.Name(t.left, "Tools with more calls", kit.Shortcut{})
	p.shell.Tips.Name(t.away, "Tools with fewer calls", kit.Shortcut{})
	p.shell.Tips.Name(t.table, "All figures of all tools", kit.Shortcut{})
	t.root = container.New(tilesLayout{t}, t.left, t.away, t.table)
	t.root.Hide()
	return t
}

// show shows statistics. It reports whether the tiles appeared or disappeared.
func (t *tiles) show(all []inspect.Figures) bool {
	f := t.page.shown.filter
	if f.Tool != "" && !slices.ContainsFunc(all, func(o inspect.Figures) bool { return o.Tool == f.Tool }) {
		all = nil
	}
	was := t.root.Hidden
	t.all, t.root.Hidden = all, len(all) == 0
	t.first = max(min(t.first, len(all)-1), 0)
	t.bind()
	return was != t.root.Hidden
}

// step shows the next or the previous tiles.
func (t *tiles) step(by int) {
	n := max(len(t.cells), 1)
	t.first = max(min(t.first+by*n, len(t.all)-n), 0)
	t.bind()
}

// bind fills the tiles and redraws them.
func (t *tiles) bind() {
	t.fill()
	t.root.Refresh()
}

func (t *tiles) fill() {
	for i, c := range t.cells {
		at := t.first + i
		if c.root.Hidden = at >= len(t.all); !c.root.Hidden {
			c.show(t.all[at])
		}
	}
	more := len(t.all) > len(t.cells)
	t.left.Hidden, t.away.Hidden = !more, !more
	t.left.SetEnabled(t.first > 0)
	t.away.SetEnabled(t.first+len(t.cells) < len(t.all))
}

// tilesLayout gives each tile the same width.
type tilesLayout struct{ t *tiles }

func (l tilesLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	t := l.t
	width := size.Width - arrowWidth - tileGap // there is always space for the table button
	kit.Place(t.table, width+tileGap, 0, arrowWidth, arrowWidth)
	kit.Place(t.left, width+tileGap, 30, arrowWidth/2, arrowWidth)
	kit.Place(t.away, width+tileGap+arrowWidth/2, 30, arrowWidth/2, arrowWidth)
	n := min(max(int((width+tileGap)/(tileLeast+tileGap)), 1), max(len(t.all), 1))
	changed := len(t.cells) != n
	for len(t.cells) < n {
		c := newTile(t)
		t.cells = append(t.cells, c)
		t.root.Objects = append(t.root.Objects, c.root)
	}
	for len(t.cells) > n {
		last := t.cells[len(t.cells)-1]
		t.cells = t.cells[:len(t.cells)-1]
		t.root.Remove(last.root)
	}
	if changed {
		t.fill()
	}
	each := min((width+tileGap)/float32(n)-tileGap, 320)
	for i, c := range t.cells {
		kit.Place(c.root, float32(i)*(each+tileGap), 0, each, tileHeight)
	}
}

func (l tilesLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, tileHeight) }

// A tile shows the statistics of one tool. A press filters the list by that tool.
type tile struct {
	page   *Page
	root   *fyne.Container
	spot   *kit.Tappable
	name   *kit.Label
	server *kit.Label
	values []*kit.Label
	of     inspect.Figures
}

func newTile(t *tiles) *tile {
	c := &tile{page: t.page, name: kit.NewLabel("", 13, kit.ColorText).Mono().Elided(), server: kit.NewLabel("", 12, kit.ColorFaint)}
	c.spot = kit.NewTappable(10, func() {
		p := t.page
		p.filter(func(f *inspect.Filter) {
			if on := f.Tool == c.of.Tool && f.Server == c.of.Server; on {
				f.Tool, f.Server = "", ""
			} else {
				f.Tool, f.Server = c.of.Tool, c.of.Server
			}
		})
	})
	c.spot.SetColors(kit.ColorSurface, kit.ColorBorder)
	var columns []fyne.CanvasObject
	for _, n := range []string{"Calls", "Errors", "p50", "p99", "Tokens"} {
		v := kit.NewLabel("", 13, kit.ColorText)
		c.values = append(c.values, v)
		columns = append(columns, kit.Vertical(1, kit.NewLabel(n, 11, kit.ColorMuted), v))
	}
	head := kit.Horizontal(8, c.name, c.name, c.server)
	c.root = container.New(kit.Margin{}, c.spot, kit.Inset(kit.Margin{Top: 8, Right: 11, Bottom: 8, Left: 11}, kit.Vertical(6, head, container.New(tileColumns{}, columns...))))
	return c
}

// tileColumns distributes the statistics across a tile. Each gets the width that it needs and a
// share of the rest.
type tileColumns struct{}

func (tileColumns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	rest := size.Width
	for _, o := range objects {
		rest -= o.MinSize().Width
	}
	gap := max(rest/float32(len(objects)-1), 4)
	x := float32(0)
	for _, o := range objects {
		w := o.MinSize().Width
		kit.Place(o, x, 0, w, size.Height)
		x += w + gap
	}
}

func (tileColumns) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(100, objects[0].MinSize().Height)
}

func (c *tile) show(f inspect.Figures) {
	c.of = f
	c.name.Text = f.Tool
	tokens := "–"
	if f.Tokens > 0 {
		tokens = thousands(f.Tokens)
	}
	p50, p99 := "–", "–"
	if f.Answered > 0 {
		p50, p99 = took(f.P50), took(f.P99)
	}
	for i, v := range []string{short(f.Calls), rate(f), p50, p99, tokens} {
		c.values[i].Text, c.values[i].Color = v, kit.ColorText
	}
	if f.Errors > 0 && f.Success < 0.95 {
		c.values[1].Color = kit.ColorBad
	}
	c.server.Text = c.page.on.Name(f.Server)
	c.root.Refresh()
}

// rate returns the fraction of the answered calls that failed.
func rate(f inspect.Figures) string {
	if f.Answered+f.Errors == 0 {
		return "–"
	}
	share := 100 * (1 - f.Success)
	if share == 0 || share >= 10 {
		return fmt.Sprintf("%.0f%%", share)
	}
	return fmt.Sprintf("%.1f%%", share)
}
