package form

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/internal/errtext"
	"goated/ui/kit"
	"goated/ui/view/fields"
)

// A field is the field for one value.
type field struct {
	form *Form
	fields.Field
	root        *fyne.Container
	error       *kit.Paragraph
	panel       *kit.Panel // the panel behind an input; nil for other kinds
	focus       fyne.Focusable
	value       func() string // nil for a group or a list
	warnedEmpty bool          // the user was warned that this required text is empty

	members []*field // the members of a group that is present, or the items of a list
	body    *fyne.Container
	add     *kit.Button // adds an item to a list
	on      bool        // the value is present: an added group, a given list, or a toggle that was pressed
	known   any         // the initial value
}

// newField draws a field with its value. given means that the value is part of the answer even if
// the user does not touch it. A bare field has no label.
func newField(f *Form, spec fields.Field, value any, given, bare bool) *field {
	fd := &field{form: f, Field: spec, known: value, on: given || value != nil, error: kit.NewText("", 12, 18, kit.ColorBad)}
	fd.error.Hide()
	var parts []fyne.CanvasObject
	switch {
	case spec.Kind == fields.Group && !bare:
		parts = append(parts, fd.groupHead())
	case spec.Kind != fields.Toggle && !bare: // a toggle shows its label itself
		parts = append(parts, fd.head())
	}
	if spec.Help != "" {
		parts = append(parts, kit.NewText(spec.Help, 12, 18, kit.ColorMuted))
	}
	switch spec.Kind {
	case fields.Group:
		parts = append(parts, fd.group(bare))
	case fields.List:
		parts = append(parts, fd.list())
	case fields.Toggle:
		parts = append(parts, fd.toggle())
	case fields.Choice, fields.MultiChoice:
		parts = append(parts, fd.choices(spec.Format(value)))
	default:
		parts = append(parts, fd.input(spec.Format(value)))
	}
	fd.root = kit.Vertical(6, append(parts, fd.error)...)
	return fd
}

// longLabel is the maximal length of a label, in characters, that shares its line with the
// description of the limits in a narrow window.
const longLabel = 40

// head returns the line above an input: the label and the limits.
func (fd *field) head() fyne.CanvasObject {
	gap := kit.NewLabel(fd.Limits(), 12, kit.ColorFaint).Elided()
	if utf8.RuneCountInString(fd.Label) > longLabel {
		if fd.Required {
			gap.Set(strings.TrimSuffix("required · "+fd.Limits(), " · "))
		}
		words := kit.NewText(fd.Label, 13, 20, kit.ColorText)
		words.Style.Bold = true
		if gap.Text == "" {
			return words
		}
		return kit.Vertical(2, words, gap)
	}
	label := kit.NewLabel(fd.Label, 13, kit.ColorText).Strong()
	if fd.Required {
		return kit.Horizontal(8, gap, label, kit.NewLabel("required", 12, kit.ColorFaint), gap)
	}
	return kit.Horizontal(8, gap, label, gap)
}

// toggle draws a boolean input. An optional one has no value until the user presses it.
func (fd *field) toggle() fyne.CanvasObject {
	o := kit.NewOption(kit.Checkbox, fd.Label, fd.Format(fd.known) == "true", nil)
	o.OnChange = func() { fd.on = true; fd.touched() }
	fd.focus, fd.value = o.Tappable, func() string {
		switch {
		case o.On:
			return "true"
		case fd.on || fd.Required:
			return "false"
		}
		return ""
	}
	return o.Root
}

// reveal scrolls until the label and the error of the field are also visible.
func (fd *field) reveal() { kit.ScrollIntoView(fd.root, fd.root) }

// touched runs after the user changed the value.
func (fd *field) touched() {
	fd.report("")
	fd.form.changed()
}

// report shows an error at the field. An empty text hides it.
func (fd *field) report(text string) {
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
	fd.form.resize()
}

// read returns the value. wrong is the first invalid field among this one and its members. If say
// is true, each of them shows its error.
func (fd *field) read(say bool) (value any, present bool, wrong *field) {
	switch fd.Kind {
	case fields.Group:
		return fd.readGroup(say)
	case fields.List:
		return fd.readList(say)
	}
	input := fd.value()
	v, present, err := fd.Parse(input)
	switch {
	case err != nil:
		fd.tell(say, err)
		return nil, false, fd
	case say && fd.Required && input == "" && (fd.Kind == fields.Text || fd.Kind == fields.LongText) && v == "" && !fd.warnedEmpty:
		// An empty text may be intended, but more often the user forgot it.
		fd.report("This is required. Press the button again to send it empty.")
		fd.warnedEmpty = true
		return nil, false, fd
	}
	fd.tell(say, nil)
	return v, present, nil
}

// tell shows an error, or hides it if err is nil.
func (fd *field) tell(say bool, err error) {
	switch {
	case !say:
	case err != nil:
		fd.report(errtext.PlainSentence(err))
	default:
		fd.report("")
	}
}
