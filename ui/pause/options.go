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

// options is a list of options of which the user chooses one or several.
type options struct {
	*keyBox
	all     []dialog.Option
	rows    []*optionRow
	several bool
	most    int // how many may be chosen
	at      int // the row that the arrow keys are on
	changed func()
}

type optionRow struct {
	root   *fyne.Container
	ground *kit.Tappable
	mark   *kit.Panel
	tick   *kit.Icon
	on     bool
}

// newOptions draws the options under the headings of their groups.
func newOptions(all []dialog.Option, several bool, most int) *options {
	o := &options{all: all, several: several, most: most, at: -1}
	var parts []fyne.CanvasObject
	group := ""
	for i, option := range all {
		if option.Group != group {
			group = option.Group
			parts = append(parts, heading(safetext.OneLine(group)))
		}
		row := o.newRow(i, option)
		o.rows = append(o.rows, row)
		parts = append(parts, row.root)
	}
	o.keyBox = newKeyBox(kit.Vertical(8, parts...))
	o.self = o // Fyne finds the window of what it draws
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
	r := &optionRow{ground: kit.NewTappable(10, nil), tick: kit.NewIcon("check", 12, kit.ColorOnPrimary)}
	r.ground.SkipTab = true // the arrow keys and the numbers choose
	color, radius := kit.ColorText, float32(9)
	if o.several {
		radius = 5
	}
	r.mark = kit.NewPanel(kit.ColorSurface, kit.ColorEdge, radius)
	if option.Disabled {
		color = kit.ColorFaint
		r.mark.Paint(kit.ColorNone, kit.ColorBorder)
	} else {
		r.ground.OnTapped = func() { o.at = i; o.toggle(i) }
	}
	label := kit.NewText(safetext.Mark(option.Label), 14, 20, color)
	texts := []fyne.CanvasObject{label}
	if option.Description != "" {
		texts = append(texts, kit.NewText(safetext.Mark(option.Description), 12, 18, kit.ColorMuted))
	}
	for _, tag := range option.Tags {
		texts = append(texts, kit.NewLabel("# "+safetext.Name(tag), 11, kit.ColorFaint))
	}
	body := kit.Vertical(2, texts...)
	parts := []fyne.CanvasObject{body, container.New(kit.Fixed{Min: fyne.NewSize(18, 18)}, r.mark, kit.Inset(kit.Margin{Top: 3, Right: 3, Bottom: 3, Left: 3}, r.tick))}
	if i < 9 {
		number := kit.NewLabel(strconv.Itoa(i+1), 11, kit.ColorMuted)
		number.Centre = true
		key := kit.Sized(22, 22, kit.Boxed(kit.NewPanel(kit.ColorSunken, kit.ColorBorder, 6), kit.Margin{}, number)) // of one width: the labels stand in line
		parts = append([]fyne.CanvasObject{key}, parts...)
	}
	r.root = container.New(kit.Margin{}, r.ground, kit.Inset(kit.Margin{Top: 9, Right: 14, Bottom: 9, Left: 12}, kit.Horizontal(12, body, parts...)))
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

// toggle chooses an option, or takes the choice back. Beyond the limit it does
// nothing, as in the original program.
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

// selectAll chooses all options, as far as the limit allows.
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

// choose chooses the option with a value at the start.
func (o *options) choose(value string) {
	if i := slices.IndexFunc(o.all, func(x dialog.Option) bool { return x.Value == value }); i >= 0 {
		o.at = i
		o.toggle(i)
	}
}

// chosen returns the values of the chosen options, in their order.
func (o *options) chosen() (values []string) {
	for i, row := range o.rows {
		if row.on {
			values = append(values, o.all[i].Value)
		}
	}
	return values
}

func (o *options) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyUp, fyne.KeyDown:
		o.step(name == fyne.KeyDown)
	case fyne.KeySpace:
		o.toggle(max(o.at, 0))
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

// step moves to the next option that can be chosen. Of one choice it takes that one.
func (o *options) step(down bool) {
	by := 1
	if !down {
		by = -1
	}
	for i := o.at + by; i >= 0 && i < len(o.all); i += by {
		if !o.all[i].Disabled {
			o.at = i
			if !o.several {
				o.toggle(i)
			}
			return
		}
	}
}

// numbers says which keys choose.
func (o *options) numbers() string {
	if n := min(len(o.all), 9); n > 1 {
		return fmt.Sprintf("1–%d choose", n)
	}
	return "1 chooses"
}
