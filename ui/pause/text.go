package pause

import (
	"fmt"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
)

// textInput is the dialog with a text field. Ctrl+Enter gives the text.
type textInput struct {
	q     *dialog.TextInput
	field *kit.Input
	count *kit.Label
	ok    *kit.Button
}

func newTextInput(c *card, q *dialog.TextInput) *textInput {
	t := &textInput{q: q, count: kit.NewLabel("", 12, kit.ColorFaint)}
	t.field = kit.NewInput(c.sh.Clock, safetext.OneLine(q.Placeholder), true)
	t.field.EnterBreaks = true
	rows := 4
	if q.ExpectsCode {
		rows = 8
		t.field.TextStyle.Monospace = true
	}
	t.field.SetMinRowsVisible(rows)
	t.field.Put(q.DefaultText)
	t.ok = kit.NewButton(kit.Primary, "check", "Send", func() { c.submit(t.answer()) }).Keyed("Ctrl+Enter")
	t.field.OnSubmit = t.ok.OnTapped
	t.field.OnTyped = t.typed
	t.typed()
	return t
}

// typed counts the characters. The count warns from 70 % of the limit on.
func (t *textInput) typed() {
	n := utf8.RuneCountInString(t.field.Text)
	color := kit.ColorFaint
	switch {
	case n*10 > t.q.MaxLength*9:
		color = kit.ColorBad
	case n*10 > t.q.MaxLength*7:
		color = kit.ColorWarn
	}
	t.count.Paint(color)
	t.count.Set(fmt.Sprintf("%d of %d characters", n, t.q.MaxLength))
	t.ok.SetEnabled(t.q.Accept(t.answer()) == nil)
}

func (t *textInput) root() fyne.CanvasObject {
	return described(t.q.Description, kit.Vertical(6, kit.NewField(t.field), t.count))
}
func (t *textInput) first() fyne.Focusable        { return t.field }
func (t *textInput) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{t.ok} }
func (t *textInput) answer() dialog.Answer        { return dialog.Answer{Text: t.field.Text} }
