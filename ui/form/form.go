// Package form draws the fields that goated/ui/view/fields reads from a JSON schema, and
// reads the values that the user enters. It owns the widgets. It must not know the
// question or the server that the schema comes from.
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

// A Form has a field for each property of a schema. It belongs to the UI
// goroutine.
type Form struct {
	Root   *fyne.Container
	Sheet  *kit.Sheet // gets a new layout when the height changes; may be nil
	Broken string     // why the schema is unreadable; empty: it is readable

	Guarded bool // a server asks: secrets are not shown

	OnSubmit func() // Enter in the last field; may be nil
	OnAccept func() // Ctrl+Enter in any field; nil: as OnSubmit
	OnChange func() // the user changed a value; may be nil
	OnResize func() // the height changed, in a form without a sheet; may be nil

	sh    *shell.Shell
	all   []*field
	known map[string]any
	given bool // the values come from a call, and defaults of the schema add nothing to it
	*Leaving
}

// New makes a form of schema under lead and fills in the known values. Set
// OnSubmit before you show the form.
func New(sh *shell.Shell, schema any, known map[string]any, lead []fyne.CanvasObject) *Form {
	return fill(&Form{Root: kit.Vertical(16, lead...)}, sh, schema, known)
}

// NewGuarded is [New] for a question of a server: it does not show what the user types
// into a field that looks like a password or a key.
func NewGuarded(sh *shell.Shell, schema any, lead []fyne.CanvasObject) *Form {
	return fill(&Form{Root: kit.Vertical(16, lead...), Guarded: true}, sh, schema, nil)
}

// NewEdit is [New] for the arguments of a call that the user edits: what the call leaves
// out stays left out, until the user fills it in.
func NewEdit(sh *shell.Shell, schema any, args map[string]any) *Form {
	return fill(&Form{Root: kit.Vertical(14), given: true}, sh, schema, args)
}

func fill(f *Form, sh *shell.Shell, schema any, known map[string]any) *Form {
	f.sh, f.known, f.Leaving = sh, known, NewLeaving(sh, f.resize)
	list, err := fields.Of(schema)
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

// Submit reads all fields. It returns false if one is wrong, shows each error
// at its field, and focuses the first wrong field. Known values without a field stay.
func (f *Form) Submit() (map[string]any, bool) { return f.read(true) }

// Values reads all fields like Submit, without messages to the user.
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

// readAll reads the members of an object. known are its values before; those without a
// field stay. wrong is the first field without a value.
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

// Fitting returns the values of the fields that another version of the schema has, too, without those
// that the schema itself proposed.
func (f *Form) Fitting(schema any) map[string]any {
	values, _ := readAll(f.all, nil, false)
	for _, fd := range f.all {
		if reflect.DeepEqual(values[fd.Name], fd.Default) {
			delete(values, fd.Name)
		}
	}
	list, _ := fields.Of(schema)
	maps.DeleteFunc(values, func(name string, _ any) bool {
		return !slices.ContainsFunc(list, func(spec fields.Field) bool { return spec.Name == name })
	})
	return values
}

// Follow notes that the known values are what the user entered in another version of the form, so that leaving loses as much.
func (f *Form) Follow(old *Form) { f.entered = old.entered && len(f.known) > 0 }

// Same returns the field for the focused field of another version of the form; nil if the focus is not there, or the
// field is gone.
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

// First returns the object to focus first: the first required empty field, else
// the first field, else instead.
func (f *Form) First(instead fyne.Focusable) fyne.Focusable {
	for _, fd := range flatten(f.all) {
		if fd.Required && fd.value != nil && fd.value() == "" && fd.focus != nil {
			return fd.focus
		}
	}
	return f.Top(instead)
}

// Top returns the first field, else instead. A page that begins with other things than the form focuses it, so that
// it is not scrolled when it opens.
func (f *Form) Top(instead fyne.Focusable) fyne.Focusable {
	for _, fd := range flatten(f.all) {
		if fd.focus != nil {
			return fd.focus
		}
	}
	return instead
}

// flatten lists the fields that are shown, in their order.
func flatten(list []*field) (flat []*field) {
	for _, fd := range list {
		flat = append(flat, fd)
		flat = append(flat, flatten(fd.members)...)
	}
	return flat
}

// enter is Enter in a field: it goes to the next one, or submits after the last.
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

// accept is Ctrl+Enter. It returns true: no field uses the key for itself.
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
