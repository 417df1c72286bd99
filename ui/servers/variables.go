package servers

import (
	"strings"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/ui/kit"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// A variables is a list of fields for the names and values of a server's
// environment. Several pasted lines become several variables.
type variables struct {
	root  *fyne.Container
	list  *fyne.Container
	rows  []*variableRow
	clock *kit.Clock

	inputs map[string]launch.Input // of the text, by the names of their variables

	OnResize func()
	OnSubmit func()
	OnRefuse func(sentence string)
}

// A variableRow has the fields of one variable.
type variableRow struct {
	root        *fyne.Container
	name, value *kit.Input
	eye         *kit.Button
	ref         string // the reference of the value in the keyring
	secret      bool   // the value is one, whatever its name is
	revealed    bool   // the user asked to see a secret value
}

// newVariables makes an empty list. keyring reports whether the system has a
// keyring for secret values.
func newVariables(clk *kit.Clock, keyring bool) *variables {
	v := &variables{clock: clk, list: kit.Vertical(8)}
	note := "Or paste lines of NAME=value. goated stores secrets such as API_KEY or TOKEN in the system's keyring."
	if !keyring {
		note = "Or paste lines of NAME=value. This system has no keyring, so goated keeps secrets such as API_KEY or TOKEN only until it quits."
	}
	more := kit.NewButton(kit.Ghost, "plus", "Add variable", func() {
		r := v.add(config.Variable{})
		v.resized()
		kit.Focus(r.name)
	}).Small()
	words := kit.NewText(note, 12, 18, kit.ColorFaint)
	v.root = kit.Vertical(6, v.list, kit.Vertical(2, kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, nil, more)), words))
	v.put(nil)
	return v
}

func (v *variables) resized() {
	if v.OnResize != nil {
		v.OnResize()
	}
}

// put shows list, or one empty row if list is empty.
func (v *variables) put(list []config.Variable) {
	v.rows, v.list.Objects = nil, nil
	for _, e := range list {
		v.add(e)
	}
	if len(list) == 0 {
		v.add(config.Variable{})
	}
	v.resized()
}

func (v *variables) add(e config.Variable) *variableRow {
	r := &variableRow{ref: e.Ref, name: kit.NewInput(v.clock, "NAME", false), value: kit.NewInput(v.clock, "value", false)}
	r.name.TextStyle.Monospace, r.value.TextStyle.Monospace = true, true
	r.name.SetText(e.Name)
	r.value.SetText(e.Value)
	r.name.OnTyped, r.value.OnTyped = r.updateMask, r.updateMask
	for _, in := range []*kit.Input{r.name, r.value} {
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
	name, value := kit.NewField(r.name), kit.NewField(r.value)
	r.root = container.New(variableLayout{}, name, value, r.eye, drop)
	r.describe(v.inputs)
	v.rows = append(v.rows, r)
	v.list.Add(r.root)
	return r
}

// entered returns the variables with a name, as they are now.
func (v *variables) entered() []config.Variable {
	var out []config.Variable
	for _, r := range v.rows {
		if e := r.variable(); e.Name != "" {
			out = append(out, e)
		}
	}
	return out
}

// variable returns the variable of a row.
func (r *variableRow) variable() config.Variable {
	return config.Variable{Name: strings.TrimSpace(r.name.Text), Value: r.value.Text, Ref: r.ref}
}

// updateMask masks a secret value, unless the user asked to see it.
func (r *variableRow) updateMask() {
	secret := r.secret || r.ref != "" || r.variable().Secret()
	r.eye.Hidden = !secret
	if r.revealed {
		r.eye.SetIcon("eye-off")
	} else {
		r.eye.SetIcon("eye")
	}
	if hide := secret && !r.revealed; hide != r.value.Password {
		r.value.Password = hide
		r.value.Refresh()
	}
}

// remove removes a row. It replaces the last one by an empty row.
func (v *variables) remove(r *variableRow) {
	for i, have := range v.rows {
		if have == r {
			v.rows = append(v.rows[:i:i], v.rows[i+1:]...)
			v.list.Remove(r.root)
			break
		}
	}
	if len(v.rows) == 0 {
		v.add(config.Variable{})
	}
	v.resized()
	kit.Focus(v.rows[len(v.rows)-1].name)
}

// paste adds lines of NAME=value at row r and reports whether text has that
// form. A single line pasted into a value stays as it is.
func (v *variables) paste(r *variableRow, text string, named bool) bool {
	list, ok := config.ParseVariables(text)
	if !ok || !named && len(list) == 1 {
		return false
	}
	for i, e := range list {
		if i == 0 && r.variable() == (config.Variable{}) {
			r.name.Put(e.Name)
			r.value.Put(e.Value)
			continue
		}
		if same := v.find(e.Name); same != nil {
			same.value.Put(e.Value)
			continue
		}
		v.add(e)
	}
	v.resized()
	return true
}

func (v *variables) find(name string) *variableRow {
	for _, r := range v.rows {
		if r.variable().Name == name {
			return r
		}
	}
	return nil
}

// read returns the variables of the filled rows. On an error it focuses the
// name of that row.
func (v *variables) read() ([]config.Variable, error) {
	var out []config.Variable
	for _, r := range v.rows {
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

// variableLayout is the layout of a name, its value and two buttons. A hidden button
// keeps its space, so the values of all rows align.
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
