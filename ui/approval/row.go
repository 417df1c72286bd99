package approval

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/agent"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/fields"
)

// The limits of what a row shows at once. A press shows the rest.
const (
	maxValue       = 8000 // the size of an argument in bytes
	maxDescription = 400  // the length of a description in characters
)

// A callRow is one call of a question.
type callRow struct {
	card       *Card
	call       agent.Pending
	difference *consent.Difference // nil: the tool was not allowed before, or is unchanged
	name       string              // the name of the tool, for the user
	server     string
	effect     view.Effect

	args   map[string]any // the arguments of the call, including edits
	ticked bool
	editState
	unseen int // the number of arguments that the row truncates and the user has not opened
	opened map[string]bool

	root *fyne.Container
	list *fyne.Container // contains the arguments
	pen  *kit.Button
}

// An editState is the state of editing a row. The zero value means that the row is not being
// edited.
type editState struct {
	editing bool
	fields  map[string]*field // for a tool whose schema names no inputs
	form    *form.Form        // for any other tool, while the user edits
	faulty  bool              // a field of the form is invalid
}

// A field edits one argument.
type field struct {
	input *kit.Input
	fault string // why the text is invalid
}

func newCallRow(c *Card, p agent.Pending, d *consent.Difference) *callRow {
	r := &callRow{card: c, call: p, difference: d, args: p.Call.Args, ticked: true, opened: make(map[string]bool)}
	r.name, r.server = safetext.Name(p.Call.Tool), p.Call.Server
	if c.o.Server != nil && r.server != "" {
		r.server = c.o.Server(r.server)
	}
	r.server = safetext.Name(r.server)
	description := ""
	if t := p.Entry.Tool; t != nil {
		r.name, r.effect = view.ToolTitle(t), view.EffectOf(p.Entry)
		description = strings.TrimSpace(t.Description)
	}
	if r.server == "" {
		r.server = "none of the connected servers"
	}
	r.pen = kit.NewButton(kit.Ghost, "pencil", "", func() { r.edit(!r.editing) }).Small()
	c.sh.Tips.Tell(r.pen, func() string {
		if r.editing {
			return "Keep the change"
		}
		return "Edit the arguments"
	}, kit.Shortcut{})
	title := kit.NewLabel(r.name, 14, kit.ColorText).Strong().Elided()
	server := kit.NewLabel(r.server, 13, kit.ColorMuted).Elided()
	names := container.New(beside{}, title, server)
	line := []fyne.CanvasObject{names, EffectPill(r.effect), r.pen}
	if len(c.o.Calls) > 1 {
		tick := kit.NewTick(true, func(on bool) { r.ticked = on; c.draw() })
		line = slices.Insert(line, 0, fyne.CanvasObject(tick))
	}
	r.list = kit.Vertical(3)
	indent := kit.Margin{Left: 30}
	if len(c.o.Calls) == 1 {
		indent.Left = 0
	}
	words := kit.Vertical(6)
	if d != nil {
		words.Add(DrawDifference(d, len(c.o.Calls) > 1))
	} else if description != "" {
		words.Add(r.described(description))
	}
	if d != nil {
		words.Add(kit.NewLabel("This call", 12, kit.ColorMuted).Medium())
	}
	words.Add(r.list)
	r.root = kit.Inset(kit.Margin{Top: 9, Right: 14, Bottom: 12, Left: 16},
		kit.Vertical(4, container.New(kit.Fixed{Min: fyne.NewSize(1, 28)}, kit.Horizontal(10, names, line...)), kit.Inset(indent, words)))
	r.fill()
	return r
}

// described draws a server's description of a tool. It truncates a long description, which opens
// in a separate view.
func (r *callRow) described(text string) fyne.CanvasObject {
	line := safetext.OneLine(strings.Join(strings.Fields(text), " "))
	words := kit.NewText("“"+safetext.Cut(line, maxDescription)+"”", 12, 16, kit.ColorMuted)
	if r.card.o.Show == nil || utf8.RuneCountInString(line) <= maxDescription {
		return words
	}
	all := kit.NewButton(kit.Outline, "external", "Show all", func() { r.card.o.Show(r.name, text) }).Small()
	return kit.Vertical(4, words, kit.Horizontal(0, nil, all))
}

// EffectPill returns a pill with the effect in words. Its colours show how dangerous the effect
// is.
func EffectPill(e view.Effect) fyne.CanvasObject {
	g := kit.Careful
	switch e {
	case view.OnlyReads:
		g = kit.Harmless
	case view.DeletesData, view.ReplacesFiles, view.SendsDataOut:
		g = kit.Dangerous
	case view.MakesChanges:
	}
	return kit.NewPill(e.String(), g)
}

// fill draws the arguments: as text, or as fields while the user edits them.
func (r *callRow) fill() {
	r.list.Objects = nil
	r.unseen = 0
	if r.form != nil {
		r.list.Add(r.form.Root)
		return
	}
	was, now := r.call.Call.Args, r.args
	names := r.names()
	if len(names) == 0 && len(r.card.o.Calls) == 1 { // if there are several calls, a row without arguments is short
		r.list.Add(kit.NewLabel("No arguments", 12, kit.ColorMuted))
	}
	r.pen.Hidden = len(names) == 0 && !r.fillable()
	width := nameWidth(names)
	for _, name := range names {
		before, had := was[name]
		after, has := now[name]
		switch {
		case r.editing:
			r.list.Add(argument(one(name, after).Name, width, r.drawField(name)))
		case had && has && reflect.DeepEqual(before, after):
			r.list.Add(argument(one(name, after).Name, width, r.value(one(name, after), "", kit.ColorText)))
		default:
			both := kit.Vertical(2)
			if had {
				both.Add(r.value(one(name, before), "− ", kit.ColorBad))
			}
			if has {
				both.Add(r.value(one(name, after), "+ ", kit.ColorGood))
			}
			r.list.Add(argument(one(name, nil).Name, width, both))
		}
	}
}

// names returns the names of the arguments before and after the edit, in the order of a form.
func (r *callRow) names() []string {
	all := make(map[string]any)
	maps.Copy(all, r.call.Call.Args)
	maps.Copy(all, r.args)
	return view.ArgumentNames(r.call.Entry.Tool, all)
}

// one formats one argument for the user.
func one(name string, value any) view.Argument {
	return view.Arguments(nil, map[string]any{name: value})[0]
}

// fillable reports whether the tool has inputs that a form can show.
func (r *callRow) fillable() bool {
	if r.call.Entry.Tool == nil || r.call.Entry.Tool.InputSchema == nil {
		return false
	}
	list, err := fields.FromSchema(r.call.Entry.Schema())
	return err == nil && len(list) > 0
}

// openForm opens the fields of the tool's schema, including fields for nested values.
func (r *callRow) openForm() {
	f := form.NewEdit(r.card.sh, r.call.Entry.Schema(), r.args)
	f.OnResize = r.card.resized
	f.OnSubmit = func() { r.edit(false) }
	f.OnAccept = r.accept
	f.OnChange = func() {
		values, ok := f.Values()
		if r.faulty = !ok; ok {
			r.args = values
		}
		r.card.draw()
	}
	r.form = f
}

// The limits of the width for argument names. Most names fit the smaller width, which leaves more
// room for the values.
const (
	leastName = 72
	maxName   = 144
)

// nameWidth returns a width at which no name of the call is truncated, up to maxName.
func nameWidth(names []string) float32 {
	width := float32(leastName)
	for _, name := range names {
		shown := one(name, nil).Name
		width = max(width, argumentName(shown).Measure(shown).Width)
	}
	return min(float32(math.Ceil(float64(width))), maxName)
}

func argumentName(name string) *kit.Label { return kit.NewLabel(name, 12, kit.ColorMuted).Mono() }

// argument places a name beside its value.
func argument(name string, width float32, value fyne.CanvasObject) fyne.CanvasObject {
	return container.New(kit.Row{Gap: 12, Flex: value, Top: true}, kit.Sized(width, 18, argumentName(name).Elided()), value)
}

// value draws a value. It truncates a long value, which opens in a separate view.
func (r *callRow) value(a view.Argument, mark string, ink fyne.ThemeColorName) fyne.CanvasObject {
	text, long := a.Value, len(a.Value) > maxValue
	if long {
		text = strings.ToValidUTF8(text[:maxValue], "") + "…"
	}
	if text == "" {
		text = "(empty)"
		ink = kit.ColorMuted
	}
	p := kit.NewText(mark+text, 12, 18, ink)
	p.Style.Monospace = true
	if !long {
		return p
	}
	if !r.opened[a.Name] {
		r.unseen++
	}
	more := kit.NewButton(kit.Outline, "external", fmt.Sprintf("Show all %d kB", len(a.Value)/1000+1), func() {
		r.opened[a.Name] = true
		r.fill()
		r.card.resized()
		if r.card.o.Show != nil {
			r.card.o.Show(a.Name, a.Value)
		}
	}).Small()
	return kit.Vertical(4, p, kit.Horizontal(0, nil, more))
}

// edit opens or closes the fields. Closing keeps the valid values. If a value is invalid, the
// fields stay open and show the error.
func (r *callRow) edit(on bool) {
	if !on && r.form != nil {
		r.form.Submit() // shows errors beside their fields
	}
	if !on && r.wrong() {
		return
	}
	r.editing = on
	r.fields, r.form = nil, nil
	r.pen.SetIcon("pencil")
	if on {
		r.pen.SetIcon("check")
		r.fields = make(map[string]*field)
		r.args = maps.Clone(r.args)
		if r.fillable() {
			r.openForm()
		}
	}
	r.fill()
	r.card.resized()
	if on && r.form != nil {
		kit.Focus(r.form.First(r.pen))
		return
	}
	if on {
		for _, name := range r.names() {
			if f, ok := r.fields[name]; ok {
				kit.Focus(f.input)
				return
			}
		}
	}
	if r.card.o.Done != nil {
		r.card.o.Done()
	}
}

// accept closes the fields and acts like Ctrl+Enter elsewhere, unless a value is invalid.
func (r *callRow) accept() {
	if r.edit(false); !r.editing {
		r.card.Accept()
	}
}

// drawField draws the field for an argument.
func (r *callRow) drawField(name string) fyne.CanvasObject {
	was := r.call.Call.Args[name]
	text := view.EditText(r.args[name])
	in := kit.NewInput(r.card.sh.Clock, "", strings.Contains(text, "\n") || len(text) > 60)
	in.Put(text)
	f := &field{input: in}
	r.fields[name] = f
	box := kit.NewField(in)
	panel := box.Objects[0].(*kit.Panel)
	in.OnTyped = func() {
		f.fault = ""
		v, err := view.EditArgument(was, in.Text)
		if err != nil {
			f.fault = err.Error()
		} else {
			r.args[name] = v
		}
		in.Wrong = err != nil
		in.Ring(panel)
		r.card.draw()
	}
	in.OnSubmit = func() { r.edit(false) }
	in.OnAccept = func() bool { r.accept(); return true }
	return box
}

// wrong reports whether a field is invalid.
func (r *callRow) wrong() bool {
	if r.faulty {
		return true
	}
	for _, f := range r.fields {
		if f.fault != "" {
			return true
		}
	}
	return false
}

// beside places a label that may be truncated beside one that may not.
type beside struct{}

func (beside) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	title, server := objects[0].(*kit.Label), objects[1].(*kit.Label)
	second := min(server.Measure(safetext.OneLine(server.Text)).Width, size.Width/2)
	first := min(title.Measure(safetext.OneLine(title.Text)).Width, size.Width-second-10)
	kit.Place(title, 0, 0, first, size.Height)
	kit.Place(server, first+10, 0, second, size.Height)
}

func (beside) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(80, objects[0].MinSize().Height)
}
