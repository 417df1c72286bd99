// Package form draws a form from a JSON schema and reads the values that the
// user enters. It owns the fields. It must not know the question or the server
// behind the schema.
package form

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
	"goated/ui/view/form"
)

// A Form has a field for each property of a schema. It belongs to the UI
// goroutine.
type Form struct {
	Root   *fyne.Container
	Fields []*field
	Sheet  *kit.Sheet // gets a new layout when a message appears or disappears; may be nil
	Broken string     // why the schema is unreadable; empty: it is readable

	Guarded bool // a server asks: secrets are not shown

	OnSubmit func()
}

// A field is the field of one property.
type field struct {
	form.Field
	root        *fyne.Container
	error       *kit.Paragraph
	panel       *kit.Panel // behind an input; nil for other kinds
	focus       fyne.Focusable
	value       func() string
	warnedEmpty bool // the user knows that this required text is empty
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

func fill(f *Form, sh *shell.Shell, schema any, known map[string]any) *Form {
	fields, err := form.Fields(schema)
	if err != nil {
		f.Broken = err.Error()
		f.Root.Add(kit.NewText(fmt.Sprintf("The form can't be shown: %s", err.Error()), 13, 20, kit.ColorBad))
		return f
	}
	for i, spec := range fields {
		value := spec.Default
		if v, ok := known[spec.Name]; ok {
			value = v
		}
		f.add(sh, spec, value, i == len(fields)-1)
	}
	return f
}

func (f *Form) add(sh *shell.Shell, spec form.Field, value any, last bool) {
	fd := &field{Field: spec, error: kit.NewText("", 12, 18, kit.ColorBad)}
	fd.error.Hide()
	var parts []fyne.CanvasObject
	if spec.Kind != form.Toggle { // a toggle shows its own label
		head := []fyne.CanvasObject{kit.NewLabel(spec.Label, 13, kit.ColorText).Strong()}
		if spec.Required {
			head = append(head, kit.NewLabel("required", 12, kit.ColorFaint))
		}
		parts = append(parts, kit.Horizontal(8, nil, head...))
	}
	if spec.Help != "" {
		parts = append(parts, kit.NewText(spec.Help, 12, 18, kit.ColorMuted))
	}
	text := spec.Format(value)
	switch spec.Kind {
	case form.Toggle:
		o := kit.NewOption(kit.Checkbox, spec.Label, text == "true", nil)
		fd.focus, fd.value = o.Tappable, func() string {
			if o.On {
				return "true"
			}
			return "false"
		}
		parts = append(parts, o.Root)
	case form.Choice, form.MultiChoice:
		list := f.choices(fd, text)
		parts = append(parts, list)
	default:
		in := kit.NewInput(sh.Clock, "", spec.Kind == form.LongText || spec.Kind == form.JSON)
		in.EnterBreaks = in.MultiLine
		in.Password = spec.Secret && f.Guarded && !in.MultiLine
		in.Put(text)
		if in.MultiLine {
			in.SetMinRowsVisible(3)
		}
		if spec.Kind == form.JSON {
			in.TextStyle.Monospace = true
		}
		in.OnRefuse = func(s string) { f.report(fd, s) }
		in.OnTyped = func() { f.report(fd, "") }
		in.OnSubmit = func() {
			if last || in.EnterBreaks {
				f.OnSubmit()
			} else {
				sh.Sheets.Window.Canvas().FocusNext()
			}
		}
		fd.focus, fd.value = in, func() string { return in.Text }
		box := kit.NewField(in)
		fd.panel = box.Objects[0].(*kit.Panel)
		parts = append(parts, box)
	}
	fd.root = kit.Vertical(6, append(parts, fd.error)...)
	f.Fields = append(f.Fields, fd)
	f.Root.Add(fd.root)
}

// choices makes the options of a field with one or several choices.
func (f *Form) choices(fd *field, chosen string) *fyne.Container {
	on := strings.Split(chosen, "\n")
	has := func(label string) bool {
		for _, l := range on {
			if l == label && chosen != "" {
				return true
			}
		}
		return false
	}
	list := kit.Vertical(4)
	var all []*kit.Option
	mark := kit.Checkbox
	if fd.Kind == form.Choice {
		mark = kit.RadioButton
	}
	for _, c := range fd.Choices {
		o := kit.NewOption(mark, c.Label, has(c.Label), nil)
		o.OnChange = func() {
			if fd.Kind == form.Choice {
				for _, other := range all {
					other.Set(other == o)
				}
			}
			f.report(fd, "")
		}
		all = append(all, o)
		list.Add(o.Root)
	}
	if len(all) > 0 {
		fd.focus = all[0].Tappable
	}
	fd.value = func() string {
		var labels []string
		for i, o := range all {
			if o.On {
				labels = append(labels, fd.Choices[i].Label)
			}
		}
		return strings.Join(labels, "\n")
	}
	return list
}

// report shows the error of a field; an empty text hides it.
func (f *Form) report(fd *field, text string) {
	if text == "" && fd.error.Hidden {
		return
	}
	fd.warnedEmpty = false
	if in, ok := fd.focus.(*kit.Input); ok {
		in.Wrong = text != ""
		in.Ring(fd.panel)
	}
	fd.error.SetText(text)
	if text == "" {
		fd.error.Hide()
	} else {
		fd.error.Show()
	}
	if f.Sheet != nil {
		f.Sheet.Refit()
	}
}

// Submit reads all fields. It returns false if one is wrong, shows each error
// at its field, and focuses the first wrong field.
func (f *Form) Submit() (map[string]any, bool) {
	if f.Broken != "" {
		return nil, false
	}
	values := make(map[string]any)
	var wrong *field
	for _, fd := range f.Fields {
		input := fd.value()
		v, present, err := fd.Parse(input)
		switch {
		case err != nil:
			f.report(fd, view.Sentence(err.Error()))
		case fd.Required && input == "" && (fd.Kind == form.Text || fd.Kind == form.LongText) && !fd.warnedEmpty:
			// An empty text may be intended, but is more often forgotten.
			f.report(fd, "This is required. Press the button again to send it empty.")
			fd.warnedEmpty = true
		default:
			f.report(fd, "")
			if present {
				values[fd.Name] = v
			}
			continue
		}
		if wrong == nil {
			wrong = fd
		}
	}
	if wrong != nil {
		kit.Focus(wrong.focus)
		return nil, false
	}
	return values, true
}

// Has reports whether the form has a field of that name.
func (f *Form) Has(name string) bool {
	for _, fd := range f.Fields {
		if fd.Name == name {
			return true
		}
	}
	return false
}

// First returns the object to focus first: the first required empty field, else
// the first field, else instead.
func (f *Form) First(instead fyne.Focusable) fyne.Focusable {
	for _, fd := range f.Fields {
		if fd.Required && fd.value() == "" && fd.focus != nil {
			return fd.focus
		}
	}
	for _, fd := range f.Fields {
		if fd.focus != nil {
			return fd.focus
		}
	}
	return instead
}
