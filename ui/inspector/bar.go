package inspector

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/inspect"
	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/popup"
)

// A bar contains the filters of the page.
type bar struct {
	page    *Page
	root    *fyne.Container
	find    *kit.Input
	server  *choice
	method  *choice
	tool    *choice
	errors  *kit.Toggle
	safe    *kit.Label
	waiting *kit.Ticker // set while the search for the text is delayed
}

// searchBeats is the delay between the last key and the search, in beats.
const searchBeats = 2

func newBar(p *Page) *bar {
	b := &bar{page: p, find: kit.NewInput(p.shell.Clock, "Find in messages", false)}
	b.find.OnTyped = b.typed
	b.find.OnSubmit = b.search
	b.find.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name != fyne.KeyDown {
			return false
		}
		kit.Focus(p.list.List)
		return true
	}
	field := kit.NewField(b.find)
	field.Objects[1] = kit.Inset(kit.Margin{Top: 0, Right: 3, Bottom: 0, Left: 10}, kit.Horizontal(0, b.find, kit.NewIcon("search", 15, kit.ColorFaint), b.find))
	b.server = newChoice("All servers", b.serverMenu)
	b.method = newChoice("All methods", b.methodMenu)
	b.tool = newChoice("All tools", b.toolMenu)
	b.errors = kit.NewToggle(false, func(on bool) { p.filter(func(f *inspect.Filter) { f.Errors = on }) })
	only := kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 8), kit.Margin{Top: 0, Right: 8, Bottom: 0, Left: 11},
		container.New(kit.Row{Gap: 8}, kit.NewLabel("Errors only", 13, kit.ColorText).Medium(), kit.Sized(40, 30, b.errors.Root)))
	b.safe = kit.NewLabel("Secrets are hidden at the source", 12, kit.ColorMuted).Elided()
	b.safe.Right = true
	b.root = container.New(&barLayout{b: b, only: only, field: field})
	l := b.root.Layout.(*barLayout)
	b.root.Objects = []fyne.CanvasObject{l.field, b.server.root, b.method.root, b.tool.root, only, b.safe}
	return b
}

// barLayout lays out the filters in one row. If they do not fit, it hides some of
// them.
type barLayout struct {
	b           *bar
	field, only fyne.CanvasObject
}

func (l *barLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	const gap = 8
	all := []fyne.CanvasObject{l.field, l.b.server.root, l.b.method.root, l.b.tool.root, l.only}
	widths := make([]float32, len(all))
	rest := size.Width - gap
	for i, o := range all[1:] {
		widths[i+1] = o.MinSize().Width
		rest -= widths[i+1] + gap
		o.Show()
	}
	for _, i := range []int{2, 3} { // a narrow window hides the least important filters
		if rest < 160 {
			all[i].Hide()
			rest += widths[i] + gap
			widths[i] = -gap
		}
	}
	note := l.b.safe.Measure(l.b.safe.Text).Width
	widths[0] = max(min(rest, 248), 96)
	l.b.safe.Hidden = rest-widths[0] < note
	x := float32(0)
	for i, o := range all {
		if !o.Visible() {
			x += widths[i] + gap
			continue
		}
		if i == 0 {
			kit.Place(o, x, 0, widths[i], size.Height)
		} else {
			kit.Place(o, x, (size.Height-32)/2, widths[i], 32)
		}
		x += widths[i] + gap
	}
	if !l.b.safe.Hidden {
		kit.Place(l.b.safe, x, 0, size.Width-x, size.Height)
	}
}

func (l *barLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, barHeight) }

// typed starts the search after a short pause in typing.
func (b *bar) typed() {
	if b.waiting != nil {
		b.page.shell.Clock.Remove(b.waiting)
	}
	b.waiting = b.page.shell.Clock.Add(searchBeats, b.search)
}

// search searches for the text of the field.
func (b *bar) search() {
	if b.waiting != nil {
		b.page.shell.Clock.Remove(b.waiting)
		b.waiting = nil
	}
	if text := strings.TrimSpace(b.find.Text); text != b.page.shown.filter.Text {
		b.page.filter(func(f *inspect.Filter) { f.Text = text })
	}
}

// show updates the controls to the filter.
func (b *bar) show(f inspect.Filter) {
	server := ""
	if f.Server != "" {
		server = b.page.on.Name(f.Server)
	}
	b.server.set(server)
	b.method.set(f.Method)
	b.tool.set(f.Tool)
	b.errors.Set(f.Errors)
	b.root.Layout.Layout(b.root.Objects, b.root.Size())
	b.root.Refresh()
}

// servers returns the servers that have messages in the log, sorted by name.
func (b *bar) servers() []string {
	names := b.page.shown.log.Names()
	return slices.SortedFunc(slices.Values(names.Servers), func(x, y string) int {
		return cmp.Compare(strings.ToLower(b.page.on.Name(x)), strings.ToLower(b.page.on.Name(y)))
	})
}

func (b *bar) serverMenu() (all []popup.Item) {
	all = append(all, b.item("All servers", b.page.shown.filter.Server == "", func(f *inspect.Filter) { f.Server = "" }), popup.Item{})
	for _, s := range b.servers() {
		all = append(all, b.item(b.page.on.Name(s), b.page.shown.filter.Server == s, func(f *inspect.Filter) { f.Server = s }))
	}
	return all
}

func (b *bar) methodMenu() []popup.Item {
	return b.named("All methods", b.page.shown.log.Names().Methods, b.page.shown.filter.Method, func(f *inspect.Filter, name string) { f.Method = name })
}

func (b *bar) toolMenu() []popup.Item {
	tools := make(map[string]bool)
	for _, f := range b.page.shown.log.Figures(inspect.Filter{Server: b.page.shown.filter.Server}) {
		tools[f.Tool] = true
	}
	return b.named("All tools", slices.Sorted(maps.Keys(tools)), b.page.shown.filter.Tool, func(f *inspect.Filter, name string) { f.Tool = name })
}

func (b *bar) named(none string, names []string, now string, set func(*inspect.Filter, string)) []popup.Item {
	all := []popup.Item{b.item(none, now == "", func(f *inspect.Filter) { set(f, "") }), {}}
	for _, n := range names {
		all = append(all, b.item(n, now == n, func(f *inspect.Filter) { set(f, n) }))
	}
	return all
}

func (b *bar) item(title string, on bool, change func(*inspect.Filter)) popup.Item {
	return popup.Item{Text: safetext.Cut(safetext.OneLine(title), 60), Checked: on, Do: func() { b.page.filter(change) }}
}

// A choice is a button that opens a menu. It shows the chosen item.
type choice struct {
	root *fyne.Container
	none string
	name *kit.Label
	spot *kit.Tappable
}

func newChoice(none string, menu func() []popup.Item) *choice {
	c := &choice{none: none, name: kit.NewLabel(none, 13, kit.ColorText).Medium()}
	c.spot = kit.NewTappable(8, nil)
	c.spot.SetColors(kit.ColorSurface, kit.ColorBorder)
	c.spot.OnTapped = func() {
		at := kit.PositionOf(c.spot).AddXY(0, c.spot.Size().Height+4)
		popup.Show(kit.CanvasOf(c.spot), at, menu()...)
	}
	inner := kit.Inset(kit.Margin{Top: 0, Right: 10, Bottom: 0, Left: 11}, container.New(kit.Row{Gap: 8}, c.name, kit.Sized(14, 32, kit.NewIcon("chevron-down", 14, kit.ColorMuted))))
	c.root = container.New(kit.Margin{}, c.spot, inner)
	return c
}

// set shows the chosen name; an empty name means that nothing is chosen.
func (c *choice) set(name string) {
	c.name.Text = c.none
	c.spot.SetColors(kit.ColorSurface, kit.ColorBorder)
	if name != "" {
		c.name.Text = safetext.Cut(safetext.OneLine(name), 24)
		c.spot.SetColors(kit.ColorSoft, kit.ColorAccent)
	}
	c.root.Refresh()
}
