package artifacts

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"goated/internal/safetext"
	"goated/servers/llmem/browse"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/virtual"
)

const (
	symbolHeight  = 40
	outlineHeight = 12 * symbolHeight // the maximal height of the list; beyond it, the list scrolls
)

// outline returns the list of the definitions.
func (v *fileView) outline() *fyne.Container {
	f := v.file
	title := kit.NewLabel("Outline", 12, kit.ColorMuted).Medium().Elided()
	count := kit.NewLabel(format.Plural(len(f.Symbols), "%d symbol", "%[2]s symbols", format.Grouped(len(f.Symbols))), 12, kit.ColorMuted)
	column := kit.Vertical(8, kit.Sized(1, 24, kit.Horizontal(8, title, title, count)))
	if len(f.Symbols) == 0 {
		count.Text = ""
		column.Add(faint("This file defines nothing that an outline lists."))
		return column
	}
	list := virtual.NewList(symbolHeight, outlineHeight, func() fyne.CanvasObject { return newSymbolRow() }, func(i int, o fyne.CanvasObject) { o.(*symbolRow).show(f.Symbols[i], f.Symbols[i].Start == v.line) })
	list.OnOverscroll = v.scroll.Scroll.Scrolled
	list.Set(len(f.Symbols))
	if i := slices.IndexFunc(f.Symbols, func(s browse.Symbol) bool { return s.Start == v.line }); i >= 0 {
		list.ScrollTo(float64(max(i-3, 0)) * symbolHeight)
	}
	column.Add(kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 12), kit.Margin{Top: 5, Right: 1, Bottom: 5, Left: 1}, list.Root))
	return column
}

// A symbolRow shows one definition with its current lines.
type symbolRow struct {
	widget.BaseWidget
	indent float32
	ground *kit.Panel
	kind   *kit.Label
	name   *kit.Label
	rest   *kit.Label // the rest of the signature
	doc    *kit.Label
	lines  *kit.Label
}

func newSymbolRow() *symbolRow {
	r := &symbolRow{ground: kit.NewPanel(kit.ColorNone, kit.ColorNone, 8), kind: kit.NewLabel("", 11, kit.ColorMuted), name: kit.NewLabel("", 12, kit.ColorText).Mono(), rest: kit.NewLabel("", 12, kit.ColorMuted).Mono().Elided(),
		doc: kit.NewLabel("", 12, kit.ColorMuted).Elided(), lines: kit.NewLabel("", 12, kit.ColorMuted).Mono()}
	r.lines.Right = true
	r.ExtendBaseWidget(r)
	return r
}

func (r *symbolRow) show(s browse.Symbol, chosen bool) {
	r.indent = 0
	r.ground.Paint(kit.ColorNone, kit.ColorNone)
	if chosen {
		r.ground.Paint(kit.ColorSelected, kit.ColorNone)
	}
	if s.Parent != "" {
		r.indent = 16 * float32(1+strings.Count(s.Parent, "."))
	}
	r.kind.Text = abbreviation(s.Kind)
	r.name.Text = view.SingleLine(s.Name)
	r.rest.Text = view.SingleLine(safetext.OneLine(rest(s)))
	r.doc.Text = view.SingleLine(safetext.OneLine(s.Doc))
	r.lines.Text, r.lines.Color = span(s), kit.ColorMuted
	if s.Changed {
		r.lines.Color = kit.ColorWarn
	}
	r.Refresh()
}

// span returns the line range of a symbol as text.
func span(s browse.Symbol) string {
	if s.End <= s.Start {
		return fmt.Sprint(s.Start)
	}
	return fmt.Sprintf("%d–%d", s.Start, s.End)
}

// rest returns the part of a signature after the name.
func rest(s browse.Symbol) string {
	if i := strings.Index(s.Signature, s.Name); i >= 0 {
		return s.Signature[i+len(s.Name):]
	}
	return ""
}

// abbreviation abbreviates a kind of symbol to at most five letters.
func abbreviation(kind string) string {
	switch kind {
	case "function":
		return "func"
	case "method":
		return "meth"
	case "constructor":
		return "ctor"
	case "struct", "type":
		return "type"
	case "interface":
		return "iface"
	case "module":
		return "mod"
	case "namespace":
		return "space"
	case "property":
		return "prop"
	case "constant":
		return "const"
	case "variable":
		return "var"
	}
	return kind
}

// plainOutline returns an outline for the clipboard.
func plainOutline(f browse.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Path)
	for _, s := range f.Symbols {
		indent := "  "
		if s.Parent != "" {
			indent = "    "
		}
		text := s.Signature
		if text == "" {
			text = s.Kind + " " + s.Name
		}
		fmt.Fprintf(&b, "%s%s  (%s)\n", indent, strings.Join(strings.Fields(text), " "), span(s))
	}
	return b.String()
}

func (r *symbolRow) CreateRenderer() fyne.WidgetRenderer {
	return &symbolRenderer{r, []fyne.CanvasObject{r.ground, r.kind, r.name, r.rest, r.doc, r.lines}}
}

type symbolRenderer struct {
	r       *symbolRow
	objects []fyne.CanvasObject
}

func (r *symbolRenderer) Layout(size fyne.Size) {
	w := r.r
	kit.Place(w.ground, 4, 0, size.Width-8, size.Height)
	lines := w.lines.Measure(w.lines.Text).Width
	kit.Place(w.lines, size.Width-lines-16, 0, lines, size.Height)
	x := 14 + w.indent
	kit.Place(w.kind, x, 0, 36, size.Height)
	x += 42
	room := max(size.Width-lines-16-12-x, 10)
	top, high := float32(0), size.Height
	if w.doc.Text != "" {
		top, high = 3, 17
		kit.Place(w.doc, x, 20, room, 17)
	}
	name := min(w.name.Measure(safetext.OneLine(w.name.Text)).Width, room)
	kit.Place(w.name, x, top, name, high)
	kit.Place(w.rest, x+name, top, room-name, high)
}

func (r *symbolRenderer) MinSize() fyne.Size { return fyne.NewSize(120, symbolHeight) }

func (r *symbolRenderer) Refresh() {
	r.r.doc.Hidden = r.r.doc.Text == ""
	r.Layout(r.r.Size())
	for _, o := range r.objects {
		o.Refresh()
	}
}

func (r *symbolRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *symbolRenderer) Destroy()                     {}
