package pause

import (
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
)

// options is a list of options, of which the user chooses one or several.
type options struct {
	*keyBox
	given   []dialog.Option // in the caller's order
	all     []dialog.Option // in the order on the screen
	rows    []*optionRow
	several bool
	most    int // how many options may be chosen
	at      int // the row of the arrow keys; -1: none
	changed func()
}

type optionRow struct {
	root   *fyne.Container
	ground *kit.Tappable
	mark   *kit.Panel
	tick   *kit.Icon
	cursor *kit.Panel // the ring around the row of the arrow keys
	on     bool
}

// newOptions draws the options under the headings of their groups.
func newOptions(all []dialog.Option, several bool, most int) *options {
	o := &options{given: all, all: dialog.Grouped(all), several: several, most: most, at: -1}
	var parts []fyne.CanvasObject
	group := ""
	for i, option := range o.all {
		if option.Group != group {
			group = option.Group
			parts = append(parts, kit.NewText(safetext.OneLine(group), 12, 18, kit.ColorMuted))
		}
		row := o.newRow(i, option)
		o.rows = append(o.rows, row)
		parts = append(parts, row.root)
	}
	o.keyBox = newKeyBox(kit.Vertical(8, parts...))
	o.self = o // lets Fyne find the window of the widget
	o.onRune = func(r rune) {
		if r >= '1' && r <= '9' {
			o.toggle(int(r - '1'))
		}
	}
	o.onKey = o.key
	o.onSelect = o.selectAll
	return o
}

func (o *options) newRow(i int, option dialog.Option) *optionRow {
	r := &optionRow{ground: kit.NewTappable(10, nil), tick: kit.NewIcon("check", 12, kit.ColorOnPrimary), cursor: kit.NewPanel(kit.ColorNone, kit.ColorNone, 12)}
	r.ground.SkipTab = true // the user chooses with the arrow keys and the numbers
	color, radius := kit.ColorText, float32(9)
	if o.several {
		radius = 5
	}
	r.mark = kit.NewPanel(kit.ColorSurface, kit.ColorEdge, radius)
	if option.Disabled {
		color = kit.ColorFaint
		r.mark.Paint(kit.ColorNone, kit.ColorBorder)
	} else {
		r.ground.OnTapped = func() { o.move(i, false); o.toggle(i) }
	}
	label := kit.NewText(safetext.Mark(option.Label), 14, 20, color)
	texts := []fyne.CanvasObject{label}
	if option.Description != "" {
		texts = append(texts, kit.NewText(safetext.Mark(option.Description), 12, 18, kit.ColorMuted))
	}
	for _, tag := range option.Tags {
		texts = append(texts, kit.NewLabel("# "+safetext.Name(tag), 11, kit.ColorFaint).Elided())
	}
	body := kit.Vertical(2, texts...)
	parts := []fyne.CanvasObject{body, container.New(kit.Fixed{Min: fyne.NewSize(18, 18)}, r.mark, kit.Inset(kit.Margin{Top: 3, Right: 3, Bottom: 3, Left: 3}, r.tick))}
	switch {
	case i >= 9: // an empty box aligns the labels
		parts = append([]fyne.CanvasObject{kit.Sized(22, 22, kit.NewPanel(kit.ColorNone, kit.ColorNone, 6))}, parts...)
	default:
		number := kit.NewLabel(strconv.Itoa(i+1), 11, kit.ColorMuted)
		number.Centre = true
		key := kit.Sized(22, 22, kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 6), kit.Margin{}, number)) // a fixed width aligns the labels
		parts = append([]fyne.CanvasObject{key}, parts...)
	}
	const out = -3 // the ring is outside the row
	ring := container.New(kit.Margin{Top: out, Right: out, Bottom: out, Left: out}, r.cursor)
	r.root = container.New(kit.Margin{}, ring, r.ground, kit.Inset(kit.Margin{Top: 9, Right: 14, Bottom: 9, Left: 12}, kit.Horizontal(12, body, parts...)))
	r.paint()
	return r
}

func (r *optionRow) paint() {
	r.tick.Hidden = !r.on
	if r.on {
		r.ground.SetColors(kit.ColorSoft, kit.ColorAccent)
		r.mark.Paint(kit.ColorPrimary, kit.ColorNone)
	} else {
		r.ground.SetColors(kit.ColorSurface, kit.ColorBorder)
		r.mark.Paint(kit.ColorSurface, kit.ColorEdge)
	}
	r.tick.Refresh()
}

// toggle chooses an option, or clears the choice. Beyond the limit it does nothing, as in the
// original program.
func (o *options) toggle(i int) {
	if i < 0 || i >= len(o.rows) || o.all[i].Disabled {
		return
	}
	row := o.rows[i]
	switch {
	case !o.several:
		for _, other := range o.rows {
			other.on = other == row
			other.paint()
		}
	case row.on || len(o.chosen()) < o.most:
		row.on = !row.on
		row.paint()
	}
	o.tell()
}

func (o *options) tell() {
	if o.changed != nil {
		o.changed()
	}
}

// selectAll chooses all options, up to the limit.
func (o *options) selectAll() {
	if !o.several {
		return
	}
	for i, row := range o.rows {
		if !row.on && !o.all[i].Disabled && len(o.chosen()) < o.most {
			row.on = true
			row.paint()
		}
	}
	o.tell()
}

// choose initially chooses the option with a value.
func (o *options) choose(value string) {
	if i := o.index(value); i >= 0 {
		o.move(i, false)
		o.toggle(i)
	}
}

// chosen returns the values of the chosen options, in the caller's order.
func (o *options) chosen() (values []string) {
	for _, option := range o.given {
		if i := o.index(option.Value); o.rows[i].on {
			values = append(values, option.Value)
		}
	}
	return values
}

// index returns the row of the option with a value, or -1 if there is none.
func (o *options) index(value string) int {
	return slices.IndexFunc(o.all, func(x dialog.Option) bool { return x.Value == value })
}

func (o *options) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyUp:
		o.step(o.at, -1)
	case fyne.KeyDown:
		o.step(o.at, 1)
	case fyne.KeyHome:
		o.step(-1, 1)
	case fyne.KeyEnd:
		o.step(len(o.all), -1)
	case fyne.KeySpace:
		if o.at < 0 {
			o.step(-1, 1)
		}
		if o.several { // for a single choice, the arrow keys have already chosen it
			o.toggle(o.at)
		}
	case fyne.KeyReturn, fyne.KeyEnter:
		if o.onSubmit == nil {
			return false
		}
		o.onSubmit()
	default:
		return false
	}
	return true
}

// step moves from a row to the next option that is not disabled. In a list with a single choice,
// it also chooses that option.
func (o *options) step(from, by int) {
	for i := from + by; i >= 0 && i < len(o.all); i += by {
		if o.all[i].Disabled {
			continue
		}
		o.move(i, o.several)
		if !o.several {
			o.toggle(i)
		}
		kit.ScrollIntoView(o.self, o.rows[i].root)
		return
	}
}

// move moves the row of the arrow keys. ring shows the ring around it.
func (o *options) move(to int, ring bool) {
	if o.at >= 0 {
		o.rows[o.at].cursor.Paint(kit.ColorNone, kit.ColorNone)
	}
	if o.at = to; ring {
		o.rows[to].cursor.Paint(kit.ColorNone, kit.ColorAccent)
	}
}

// numbers describes the keys that choose options.
func (o *options) numbers() string {
	switch n := len(o.all); {
	case n > 9 && o.several:
		return "1–9, or the arrow keys and Space, choose"
	case n > 9:
		return "1–9, or the arrow keys, choose"
	case n > 1:
		return fmt.Sprintf("1–%d choose", n)
	}
	return "1 chooses"
}
