package runconfig

import (
	"slices"
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/wording"
	"goated/ui/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Variables is a list of fields for the names and values of a server's environment variables.
// Several pasted lines become several variables.
type Variables struct {
	Root  *fyne.Container
	list  *fyne.Container
	more  *kit.Button    // adds a row
	words *kit.Paragraph // how to paste, and where secrets are kept
	Rows  []*Row
	clock *kit.Clock
	keeps string // a sentence: where goated keeps secrets

	Inputs map[string]launch.Input // the inputs in the text, by the names of their variables

	Noun string // what a row is, in sentences

	OnTyped  func() // the user changed a row
	OnResize func()
	OnSubmit func()
	OnRefuse func(sentence string)
}

// A Row contains the fields of one variable.
type Row struct {
	root        *fyne.Container
	name, Value *kit.Input
	eye         *kit.Button
	ref         string           // the reference to the value in the keyring
	input       string           // the ID of the input that provides the value
	shown       string           // the name of that input in the name field
	secret      bool             // the value is secret, regardless of the name
	revealed    bool             // the user asked to see a secret value
	offered     *config.Variable // the variable that a text put there, see [Variables.Offer]; nil: the user added the row
}

// newVariables returns an empty list. keyring reports whether the system has a keyring for secret
// values.
func newVariables(clk *kit.Clock, keyring bool) *Variables {
	v := &Variables{clock: clk, list: kit.Vertical(8), keeps: KeepsSecrets(keyring)}
	v.more = kit.NewButton(kit.Ghost, "plus", "", func() {
		r := v.add(config.Variable{})
		v.resized()
		kit.Focus(r.name)
	}).Small()
	v.words = kit.NewText("", 12, 18, kit.ColorFaint)
	v.Root = kit.Vertical(6, v.list, kit.Vertical(2, kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, nil, v.more)), v.words))
	v.call("variable")
	v.Put(nil)
	return v
}

// KeepsSecrets explains where goated keeps secret values. keyring reports whether the system has
// a keyring.
func KeepsSecrets(keyring bool) string {
	if !keyring {
		return "This system has no keyring, so goated keeps secrets such as API_KEY or TOKEN only until it quits."
	}
	return "goated stores secrets such as API_KEY or TOKEN in the system's keyring."
}

// header is the noun of the rows of a server with a URL.
const header = "header"

// call sets what a row is: a variable or a header.
func (v *Variables) call(noun string) {
	v.Noun = noun
	v.more.SetText("Add " + noun)
	form := "NAME=value"
	if noun == header {
		form = "Name: value"
	}
	v.words.SetText("Or paste lines of " + form + ". " + v.keeps)
}

func (v *Variables) typed() {
	if v.OnTyped != nil {
		v.OnTyped()
	}
}

func (v *Variables) resized() {
	if v.OnResize != nil {
		v.OnResize()
	}
}

// Put shows list, or one empty row if list is empty.
func (v *Variables) Put(list []config.Variable) {
	v.Rows, v.list.Objects = nil, nil
	for _, e := range list {
		v.add(e)
	}
	if len(list) == 0 {
		v.add(config.Variable{})
	}
	v.resized()
}

// Offer shows the variables that a text asks for. It replaces the variables that another text put
// there, because a value of one server must not reach another one. It keeps what the user entered
// or changed.
func (v *Variables) Offer(asks []config.Variable) {
	all := slices.Clone(asks)
	for _, r := range v.Rows {
		own := r.variable()
		if own == (config.Variable{}) || r.offered != nil && *r.offered == own {
			continue
		}
		at := slices.IndexFunc(all, func(o config.Variable) bool { return o.Name == own.Name })
		switch {
		case at < 0:
			all = append(all, own)
		case own.Value != "" || own.Ref != "":
			all[at] = own
		}
	}
	var shown []config.Variable
	for _, r := range v.Rows {
		if e := r.variable(); e != (config.Variable{}) {
			shown = append(shown, e)
		}
	}
	if !slices.Equal(all, shown) {
		v.Put(all)
	}
	for i, r := range v.Rows {
		if r.offered = nil; i < len(asks) && r.variable() == asks[i] {
			r.offered = &asks[i]
		}
	}
}

func (v *Variables) add(e config.Variable) *Row {
	r := &Row{ref: e.Ref, name: kit.NewInput(v.clock, "NAME", false), Value: kit.NewInput(v.clock, "value", false)}
	r.name.TextStyle.Monospace, r.Value.TextStyle.Monospace = true, true
	if id, ok := launch.InputID(e.Name); ok {
		r.input, r.shown = id, wording.InputName(launch.Input{ID: id})
		e.Name = r.shown
	}
	r.name.SetText(e.Name)
	r.Value.SetText(e.Value)
	for _, in := range []*kit.Input{r.name, r.Value} {
		in.OnTyped = func() {
			r.updateMask()
			v.typed()
		}
		in.OnSubmit = func() {
			if v.OnSubmit != nil {
				v.OnSubmit()
			}
		}
		in.OnRefuse = func(s string) {
			if v.OnRefuse != nil {
				v.OnRefuse(s)
			}
		}
		in.Paste.On = func(text string) bool { return v.paste(r, text, in == r.name) }
	}
	r.eye = kit.NewButton(kit.Ghost, "eye", "", func() { r.revealed = !r.revealed; r.updateMask() }).Small()
	drop := kit.NewButton(kit.Ghost, "close", "", func() { v.remove(r) }).Small()
	name, value := kit.NewField(r.name), kit.NewField(r.Value)
	r.root = container.New(variableLayout{}, name, value, r.eye, drop)
	r.Describe(v.Inputs)
	v.Rows = append(v.Rows, r)
	v.list.Add(r.root)
	return r
}

// Entered returns the current variables that have a name.
func (v *Variables) Entered() []config.Variable {
	var out []config.Variable
	for _, r := range v.Rows {
		if e := r.variable(); e.Name != "" {
			out = append(out, e)
		}
	}
	return out
}

// variable returns the variable of a row.
func (r *Row) variable() config.Variable {
	e := config.Variable{Name: strings.TrimSpace(r.name.Text), Value: r.Value.Text, Ref: r.ref}
	if r.input != "" && e.Name == r.shown {
		e.Name, e.Value = launch.InputVariable(r.input), strings.TrimSpace(e.Value)
	}
	return e
}

// Describe shows what to enter for an input.
func (r *Row) Describe(inputs map[string]launch.Input) {
	in, ok := inputs[r.variable().Name]
	if r.secret = ok && config.IsSecret(in); ok {
		hint := wording.InputLabel(in)
		if len(in.Options) > 0 {
			hint = strings.Join(in.Options, ", ")
		}
		r.Value.SetPlaceHolder(hint)
	}
	r.updateMask()
}

// updateMask masks a secret value, unless the user has asked to see it.
func (r *Row) updateMask() {
	secret := r.secret || r.ref != "" || r.variable().Secret()
	r.eye.Hidden = !secret
	if r.revealed {
		r.eye.SetIcon("eye-off")
	} else {
		r.eye.SetIcon("eye")
	}
	if hide := secret && !r.revealed; hide != r.Value.Password {
		r.Value.Password = hide
		r.Value.Refresh()
	}
}

// remove removes a row. It replaces the last remaining row by an empty one.
func (v *Variables) remove(r *Row) {
	for i, have := range v.Rows {
		if have == r {
			v.Rows = append(v.Rows[:i:i], v.Rows[i+1:]...)
			v.list.Remove(r.root)
			break
		}
	}
	if len(v.Rows) == 0 {
		v.add(config.Variable{})
	}
	v.typed()
	v.resized()
	kit.Focus(v.Rows[len(v.Rows)-1].name)
}

// paste adds lines of NAME=value, or of "Name: value" for headers, at row r. It reports whether text
// has that form. A single line that is pasted into a value stays as it is.
func (v *Variables) paste(r *Row, text string, named bool) bool {
	list, ok := config.ParseVariables(text)
	if v.Noun == header && !ok {
		list, ok = config.ParseHeaders(text)
	}
	if !ok || !named && len(list) == 1 {
		return false
	}
	for _, e := range list {
		switch same := v.named(e.Name); {
		case same != nil:
			same.Value.Put(e.Value)
		case r.variable() == (config.Variable{}):
			r.name.Put(e.Name)
			r.Value.Put(e.Value)
		default:
			v.add(e)
		}
	}
	v.typed()
	v.resized()
	return true
}

// named is like Find, but the case of the name of a header does not matter.
func (v *Variables) named(name string) *Row {
	if v.Noun == header {
		for _, r := range v.Rows {
			if strings.EqualFold(r.variable().Name, name) {
				return r
			}
		}
	}
	return v.Find(name)
}

// Find returns the row of a variable, or nil.
func (v *Variables) Find(name string) *Row {
	for _, r := range v.Rows {
		if r.variable().Name == name || r.input == name && name != "" {
			return r
		}
	}
	return nil
}

// read returns the variables of the filled rows. If there is an error, it focuses the name of
// that row.
func (v *Variables) read() ([]config.Variable, error) {
	var out []config.Variable
	for _, r := range v.Rows {
		e := r.variable()
		if e.Name == "" && e.Value == "" {
			continue
		}
		if err := e.Check(); err != nil {
			kit.Focus(r.name)
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// variableLayout lays out a name, its value and two buttons. A hidden button keeps its space, so
// the values of all rows are aligned.
type variableLayout struct{}

func (variableLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	const gap, button = 8, 28
	rest := size.Width - 2*(button+2) - 2*gap
	name := min(max(rest*0.36, 90), 220)
	kit.Place(objects[0], 0, 0, name, size.Height)
	kit.Place(objects[1], name+gap, 0, rest-name, size.Height)
	kit.Place(objects[2], size.Width-2*button-2, (size.Height-button)/2, button, button)
	kit.Place(objects[3], size.Width-button, (size.Height-button)/2, button, button)
}

func (variableLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(240, objects[0].MinSize().Height)
}
