package modelmenu

import (
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// The fill levels of the context from which on the ring warns, in percent.
const (
	nearlyFull = 80
	full       = 95
)

// A Gauge is the button in the header that shows how full the context is.
type Gauge struct {
	Root  *fyne.Container
	tap   *kit.Tappable
	ring  *ring
	label *kit.Label
}

// NewGauge returns the button. tapped opens the meter.
func NewGauge(tapped func()) *Gauge {
	g := &Gauge{ring: newRing(), label: kit.NewLabel("0%", 13, kit.ColorMuted).Medium()}
	g.tap = kit.NewTappable(8, tapped)
	g.Root = container.New(kit.Margin{}, g.tap, kit.Inset(kit.Margin{Top: 5, Right: 10, Bottom: 5, Left: 10}, container.New(kit.Row{Gap: 7}, g.ring, g.label)))
	return g
}

// Show updates the gauge. It reports whether the width of the gauge may have changed.
func (g *Gauge) Show(m agent.ContextUsage) bool {
	percent := view.Filled(m)
	text := fmt.Sprintf("%d%%", percent)
	if m.Used() > 0 && percent == 0 {
		text = "<1%"
	}
	colour := kit.ColorAccent
	switch {
	case percent >= full:
		colour = kit.ColorBad
	case percent >= nearlyFull:
		colour = kit.ColorWarn
	}
	g.ring.set(float32(min(percent, 100))/100, colour)
	changed := g.label.Text != text
	g.label.Set(text)
	return changed
}

// A ring shows a fraction as an arc.
type ring struct {
	widget.BaseWidget
	share  float32
	colour fyne.ThemeColorName
}

func newRing() *ring {
	r := &ring{colour: kit.ColorAccent}
	r.ExtendBaseWidget(r)
	return r
}

func (r *ring) set(share float32, colour fyne.ThemeColorName) {
	if r.share != share || r.colour != colour {
		r.share, r.colour = share, colour
		r.Refresh()
	}
}

// ringSide is the width and height of a ring.
const ringSide = 16

func (r *ring) CreateRenderer() fyne.WidgetRenderer {
	l := &ringRenderer{r: r, back: canvas.NewArc(0, 360, 0.66, color.Transparent), front: canvas.NewArc(0, 0, 0.66, color.Transparent)}
	l.Refresh()
	return l
}

type ringRenderer struct {
	r           *ring
	back, front *canvas.Arc
}

func (l *ringRenderer) Layout(size fyne.Size) {
	for _, a := range []*canvas.Arc{l.back, l.front} {
		a.Move(fyne.NewPos((size.Width-ringSide)/2, (size.Height-ringSide)/2))
		a.Resize(fyne.NewSquareSize(ringSide))
	}
}

func (l *ringRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(ringSide) }

func (l *ringRenderer) Refresh() {
	l.back.FillColor = theme.Color(kit.ColorHair)
	l.front.FillColor = theme.Color(l.r.colour)
	l.front.StartAngle, l.front.EndAngle = 0, 360*l.r.share
	l.front.Hidden = l.r.share <= 0
	l.back.Refresh()
	l.front.Refresh()
}

func (l *ringRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{l.back, l.front} }
func (l *ringRenderer) Destroy()                     {}

// MeterOptions are the content and the callbacks of the meter. All functions are set.
type MeterOptions struct {
	Anchor    fyne.CanvasObject
	Meter     agent.ContextUsage
	OnDisk    string // the total size of the complete results, for example "1.2 MB"; empty: unknown
	Busy      bool   // a turn is running, so nothing can be compacted
	Model     bool   // a model can write a summary
	Compacted bool   // a summary is in force
	Automatic bool

	OnTools     func()
	OnCompact   func()
	OnUndo      func()
	OnAutomatic func(on bool)
}

// meterWidth is the width of the meter.
const meterWidth = 384

// segmentColours returns the colours of the parts, in the order of [view.MeterParts].
func segmentColours() []fyne.ThemeColorName {
	return []fyne.ThemeColorName{kit.ColorMuted, kit.ColorAccent, kit.ColorPrimary, kit.ColorWarn, kit.ColorSunken}
}

// NewMeter returns the meter. The caller opens it, and closes it before it calls a
// function, except for OnAutomatic.
func NewMeter(o MeterOptions) *kit.Sheet {
	m := o.Meter
	sum := kit.NewLabel("", 13, kit.ColorMuted)
	sum.Set(fmt.Sprintf("%s of %s tokens", format.Short(m.Used()), format.Short(m.Limit)))
	name := kit.NewLabel("Context", 13, kit.ColorText).Strong().Elided()
	rows := kit.Vertical(0, kit.Horizontal(8, name, name, sum), kit.Sized(1, 22, container.New(&barLayout{parts: view.MeterParts(m)}, segments()...)))
	for i, p := range view.MeterParts(m) {
		var beside fyne.CanvasObject
		if p.Name == "Tools" {
			beside = kit.NewButton(kit.Ghost, "", "Manage", o.OnTools).Small()
		}
		rows.Add(part(swatch(segmentColours()[i]), p.Name, p.Detail, format.Short(p.Tokens), beside))
	}
	rows.Add(kit.Inset(kit.Margin{Top: 6, Bottom: 6, Left: -16, Right: -16}, kit.NewLine()))
	disk := format.Plural(m.Stored, "%d whole result, still readable", "%d whole results, still readable")
	rows.Add(part(kit.NewIcon("save", 14, kit.ColorMuted), "On disk", disk, o.OnDisk, nil))
	rows.Add(part(kit.NewIcon("retry", 14, kit.ColorMuted), "Cached", "usually cheaper", format.Short(m.Cached), nil))
	text := "Compacting summarises old messages for the model. You keep every message and can undo it."
	switch {
	case !o.Model:
		text = "Without a model, nothing is sent anywhere, and nothing can be summarised."
	case o.Compacted:
		text = "The model gets a summary of the old messages. You keep every message; undo sends them again."
	}
	foot := kit.Vertical(10, kit.NewText(text, 12, 17, kit.ColorMuted))
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	auto := kit.NewToggle(o.Automatic, o.OnAutomatic)
	compact := kit.NewButton(kit.Outline, "", "Compact now", o.OnCompact).Small()
	compact.SetEnabled(o.Model && !o.Busy && m.Messages > 2)
	line := []fyne.CanvasObject{kit.NewLabel(fmt.Sprintf("Automatically at %d%%", nearlyFull), 12, kit.ColorMuted), auto.Root, gap}
	if o.Compacted {
		undo := kit.NewButton(kit.Ghost, "", "Undo", o.OnUndo).Small()
		undo.SetEnabled(!o.Busy)
		line = append(line, undo)
	}
	foot.Add(kit.Horizontal(8, gap, append(line, compact)...))
	catcher := newKeys(func(rune) {}, func(*fyne.KeyEvent) bool { return false })
	s := popover(o.Anchor, true, meterWidth, kit.Sized(1, 14, catcher), kit.Inset(kit.Margin{Right: 16, Left: 16}, rows),
		kit.Vertical(0, kit.NewLine(), kit.Inset(kit.Margin{Top: 10, Right: 16, Bottom: 14, Left: 16}, foot)))
	s.First = catcher
	return s
}

// segments returns the coloured segments of the bar, on top of its background.
func segments() []fyne.CanvasObject {
	out := []fyne.CanvasObject{kit.NewPanel(kit.ColorHair, kit.ColorNone, 4)}
	for _, c := range segmentColours()[:4] {
		out = append(out, kit.NewPanel(c, kit.ColorNone, 2))
	}
	return out
}

// barLayout places the segments in proportion to their tokens.
type barLayout struct{ parts []view.MeterPart }

func (l *barLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	all := 0
	for _, p := range l.parts {
		all += p.Tokens
	}
	y := (size.Height - 8) / 2
	kit.Place(objects[0], 0, y, size.Width, 8)
	x := float32(0)
	for i, o := range objects[1:] {
		w := float32(0)
		if all > 0 {
			w = size.Width * float32(l.parts[i].Tokens) / float32(all)
		}
		if l.parts[i].Tokens > 0 {
			w = max(w, 3)
		}
		kit.Place(o, x, y, max(w-1, 0), 8)
		x += w
	}
}

func (*barLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(100, 8) }

// swatch returns a small square in the colour of a segment.
func swatch(colour fyne.ThemeColorName) fyne.CanvasObject {
	stroke := kit.ColorNone
	if colour == kit.ColorSunken {
		stroke = kit.ColorEdge
	}
	return container.New(kit.Margin{Top: 2, Right: 2, Bottom: 2, Left: 2}, kit.Sized(10, 10, kit.NewPanel(colour, stroke, 3)))
}

// part returns a line of the meter.
func part(mark fyne.CanvasObject, name, detail, number string, beside fyne.CanvasObject) fyne.CanvasObject {
	more := kit.NewLabel(detail, 12, kit.ColorMuted).Elided()
	n := kit.NewLabel(number, 13, kit.ColorText)
	n.Right = true
	line := []fyne.CanvasObject{kit.Sized(14, 14, mark), kit.NewLabel(name, 13, kit.ColorText).Medium(), more}
	if beside != nil {
		line = append(line, beside)
	}
	line = append(line, kit.Sized(56, 18, n))
	return container.New(kit.Fixed{Min: fyne.NewSize(1, 28)}, container.New(kit.Row{Gap: 8, Flex: more}, line...))
}
