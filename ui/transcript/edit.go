package transcript

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/pager"
)

// An Editing describes an edit of a message in place: its initial text, and the functions that
// follow.
type Editing struct {
	Text     string
	Original string            // the text of the message; a button restores it if Text differs
	Note     string            // explains what Save does
	Save     func(text string) // receives the text; the edit has ended
	Leave    func(text string) // receives the text when the user cancels or saves; may be nil
	Typed    func()            // runs when the text changes; may be nil
}

// An editor is an input field in place of a message. Only one row at a time can have one.
type editor struct {
	t     *Transcript
	item  int
	input *kit.Input
	home  *fyne.Container // contains the message
	was   []fyne.CanvasObject
	rows  int
	Editing
}

// The size of the field.
const (
	editWidth  = 608
	editMargin = 8
	editRows   = 12
)

// Edit replaces the message of an item by a field. It cancels the edit of any other message. Call
// [Transcript.FocusEdit] to focus the field.
func (t *Transcript) Edit(item int, e Editing) {
	t.CancelEdit()
	if item >= len(t.View.Items) {
		return
	}
	home, ok := t.View.Make(item).Object().(*fyne.Container)
	if !ok {
		return
	}
	ed := &editor{t: t, item: item, home: home, was: home.Objects, rows: 1, Editing: e}
	ed.input = kit.NewInput(t.clock, "Your message", true)
	ed.input.Bare, ed.input.EnterBreaks = true, true
	ed.input.OnTyped = ed.typed
	ed.input.OnSubmit = ed.save
	ed.input.OnKey = func(k *fyne.KeyEvent) bool {
		if k.Name == fyne.KeyEscape {
			t.CancelEdit()
		}
		return k.Name == fyne.KeyEscape
	}
	ground := kit.NewPanel(kit.ColorSurface, kit.ColorAccent, 14)
	ground.Bold = true
	note := kit.NewLabel(e.Note, 12, kit.ColorFaint).Elided()
	line := kit.Horizontal(8, note, note)
	if t.On.Versions != nil && t.On.Version != nil {
		if at, of := t.On.Versions(item); of > 1 {
			p := pager.New(func(by int) { t.On.Version(item, by) })
			p.Set(at, of)
			line.Add(kit.Sized(pager.Width, 28, p.Root))
		}
	}
	if e.Original != "" && e.Original != e.Text {
		line.Add(kit.NewButton(kit.Ghost, "", "Original text", ed.restore).Small())
	}
	line.Add(kit.NewButton(kit.Outline, "", "Cancel", t.CancelEdit).Small().Keyed("Esc"))
	line.Add(kit.NewButton(kit.Primary, "", "Save", ed.save).Small().Keyed("Ctrl+Enter"))
	field := kit.Boxed(ground, kit.Margin{Top: 3, Right: editMargin, Bottom: 3, Left: editMargin}, ed.input)
	home.Objects = []fyne.CanvasObject{container.New(editLayout{}, kit.Vertical(8, field, line))}
	t.View.user.edited = ed
	t.View.Stick = false
	// The lines of the text depend on the width, and the row may not be visible.
	ed.input.Resize(fyne.NewSize(min(editWidth, t.View.width)-2*editMargin, 1))
	ed.input.Put(e.Text)
	ed.grow()
	t.View.refit()
}

// FocusEdit focuses the field of the message that the user edits.
func (t *Transcript) FocusEdit() {
	if ed := t.View.user.edited; ed != nil {
		kit.Focus(ed.input)
	}
}

// CancelEdit ends the edit and shows the message again.
func (t *Transcript) CancelEdit() {
	ed := t.View.user.edited
	if ed == nil {
		return
	}
	t.View.user.edited = nil
	ed.home.Objects = ed.was
	t.View.refit()
	if ed.Leave != nil {
		ed.Leave(ed.input.Text)
	}
}

// Edited returns the field of the message that the user edits, or nil if there is none.
func (t *Transcript) Edited() *kit.Input {
	if t.View.user.edited == nil {
		return nil
	}
	return t.View.user.edited.input
}

func (e *editor) save() {
	text := strings.TrimSpace(e.input.Text)
	if text == "" || e.t.View.user.edited != e {
		return
	}
	e.t.CancelEdit()
	e.Save(text)
}

// restore puts the original text into the field.
func (e *editor) restore() {
	e.input.Put(e.Original)
	kit.Focus(e.input)
}

func (e *editor) typed() {
	if e.grow(); e.Typed != nil {
		e.Typed()
	}
}

// grow adapts the height of the field to its text.
func (e *editor) grow() {
	rows := max(1, min(e.input.Rows(), editRows))
	if rows != e.rows {
		e.rows = rows
		e.input.SetMinRowsVisible(rows)
		e.t.View.refit()
	}
}

// isEditing reports whether the user edits an item.
func (t *Transcript) isEditing(item int) bool {
	return t.View.user.edited != nil && t.View.user.edited.item == item
}

// editLayout places the field at the right, as wide as a long message.
type editLayout struct{}

func (editLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := min(editWidth, size.Width)
	kit.Place(objects[0], size.Width-w, 0, w, size.Height)
}

func (editLayout) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	return kit.HeightOf(objects[0], min(editWidth, width))
}

func (editLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(0, 40) }
