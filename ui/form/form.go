// Package form draws the fields that goated/ui/view/fields derives from a JSON schema, and reads
// the values that the user enters. It owns the widgets. It must not depend on the question or the
// server that the schema comes from.
package form

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view/fields"
)

// A Form has a field for each property of a schema. It belongs to the UI goroutine.
type Form struct {
	Root   *fyne.Container
	Sheet  *kit.Sheet // is laid out again when the height changes; may be nil
	Broken string     // why the schema is unreadable; empty if it is readable

	Guarded bool // a server asks: the form hides secrets

	OnSubmit func() // runs on Enter in the last field; may be nil
	OnAccept func() // runs on Ctrl+Enter in any field; nil: OnSubmit runs instead
	OnChange func() // the user changed a value; may be nil
	OnResize func() // the height changed, in a form without a sheet; may be nil

	sh    *shell.Shell
	all   []*field
	known map[string]any
	given bool // the values come from a call, so the schema's defaults are not added
	*Leaving
}

// New returns a form for schema below lead, filled with the known values. Set OnSubmit before you
// show the form.
func New(sh *shell.Shell, schema any, known map[string]any, lead []fyne.CanvasObject) *Form {
	return fill(&Form{Root: kit.Vertical(16, lead...)}, sh, schema, known)
}

// NewGuarded is [New] for a question of a server. It hides the input in a field that looks like a
// password or a key.
func NewGuarded(sh *shell.Shell, schema any, lead []fyne.CanvasObject) *Form {
	return fill(&Form{Root: kit.Vertical(16, lead...), Guarded: true}, sh, schema, nil)
}

// NewEdit is [New] for the arguments of a call that the user edits. Arguments that the call omits
// remain omitted until the user enters them.
func NewEdit(sh *shell.Shell, schema any, args map[string]any) *Form {
	return fill(&Form{Root: kit.Vertical(14), given: true}, sh, schema, args)
}

func fill(f *Form, sh *shell.Shell, schema any, known map[string]any) *Form {
	f.sh, f.known, f.Leaving = sh, known, NewLeaving(sh, f.resize)
	list, err := fields.FromSchema(schema)
	if err != nil {
		f.Broken = err.Error()
		f.Root.Add(kit.NewText(fmt.Sprintf("The form can't be shown: %s", err.Error()), 13, 20, kit.ColorBad))
		return f
	}
	for _, spec := range list {
		v, given := known[spec.Name]
		if !given && !f.given {
			v = spec.Default
		}
		fd := newField(f, spec, v, given, false)
		f.all = append(f.all, fd)
		f.Root.Add(fd.root)
	}
	return f
}

// Empty reports whether the form has no fields.
func (f *Form) Empty() bool { return len(f.all) == 0 }

// Submit reads all fields. If a field is invalid, it shows the error at each invalid field,
// focuses the first, and returns false. It keeps known values that have no field.
func (f *Form) Submit() (map[string]any, bool) { return f.read(true) }

// Values reads all fields like Submit, but shows no errors.
func (f *Form) Values() (map[string]any, bool) { return f.read(false) }

func (f *Form) read(say bool) (map[string]any, bool) {
	if f.Broken != "" {
		return nil, false
	}
	values, wrong := readAll(f.all, f.known, say)
	if wrong == nil {
		return values, true
	}
	if say {
		f.resize()
		kit.Focus(wrong.focus)
		wrong.reveal()
	}
	return nil, false
}

// readAll reads the members of an object. known are its previous values; it keeps those that have
// no field. wrong is the first invalid field.
func readAll(list []*field, known map[string]any, say bool) (values map[string]any, wrong *field) {
	values = make(map[string]any)
	for k, v := range known {
		values[k] = v
	}
	for _, fd := range list {
		delete(values, fd.Name)
		v, present, w := fd.read(say)
		switch {
		case w != nil && wrong == nil:
			wrong = w
		case w == nil && present:
			values[fd.Name] = v
		}
	}
	return values, wrong
}

// Fitting returns the values of the fields that also exist in another version of the schema,
// except default values.
func (f *Form) Fitting(schema any) map[string]any {
	values, _ := readAll(f.all, nil, false)
	for _, fd := range f.all {
		if reflect.DeepEqual(values[fd.Name], fd.Default) {
			delete(values, fd.Name)
		}
	}
	list, _ := fields.FromSchema(schema)
	maps.DeleteFunc(values, func(name string, _ any) bool {
		return !slices.ContainsFunc(list, func(spec fields.Field) bool { return spec.Name == name })
	})
	return values
}

// Follow records that the known values are input from another version of the form, so that
// leaving the form would lose them.
func (f *Form) Follow(old *Form) { f.entered = old.entered && len(f.known) > 0 }

// Same returns the field that corresponds to the focused field of another version of the form. It
// returns nil if the focus is elsewhere, or the field is gone.
func (f *Form) Same(old *Form, focused fyne.Focusable) fyne.Focusable {
	for _, was := range flatten(old.all) {
		for _, fd := range flatten(f.all) {
			if focused != nil && was.focus == focused && fd.Name == was.Name {
				return fd.focus
			}
		}
	}
	return nil
}

// First returns the object to focus first: the first required empty field, otherwise the first
// field, otherwise instead.
func (f *Form) First(instead fyne.Focusable) fyne.Focusable {
	for _, fd := range flatten(f.all) {
		if fd.Required && fd.value != nil && fd.value() == "" && fd.focus != nil {
			return fd.focus
		}
	}
	return f.Top(instead)
}

// Top returns the first field, or instead if there is none. A page whose form is not at the top
// focuses it, so that the page does not scroll when it opens.
func (f *Form) Top(instead fyne.Focusable) fyne.Focusable {
	for _, fd := range flatten(f.all) {
		if fd.focus != nil {
			return fd.focus
		}
	}
	return instead
}

// flatten lists the visible fields in order.
func flatten(list []*field) (flat []*field) {
	for _, fd := range list {
		flat = append(flat, fd)
		flat = append(flat, flatten(fd.members)...)
	}
	return flat
}

// enter handles Enter in a field: it focuses the next field, or submits the form in the last one.
func (f *Form) enter(fd *field) {
	if flat := flatten(f.all); len(flat) == 0 || flat[len(flat)-1] != fd {
		f.sh.Sheets.Window.Canvas().FocusNext()
		return
	}
	f.submit()
}

func (f *Form) submit() {
	if f.OnSubmit != nil {
		f.OnSubmit()
	}
}

// accept handles Ctrl+Enter. It returns true, because no field uses the key itself.
func (f *Form) accept() bool {
	if f.OnAccept != nil {
		f.OnAccept()
	} else {
		f.submit()
	}
	return true
}

func (f *Form) changed() {
	f.Edited()
	if f.OnChange != nil {
		f.OnChange()
	}
}

func (f *Form) resize() {
	switch {
	case f.Sheet != nil:
		f.Sheet.Refit()
	case f.OnResize != nil:
		f.OnResize()
	}
}
