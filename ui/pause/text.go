package pause

import (
	"fmt"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/view/fields"
	"goated/ui/view/format"
)

// textInput is the dialog with a text field. Ctrl+Enter sends the text.
type textInput struct {
	q      *dialog.TextInput
	field  *kit.Input
	secret bool
	eye    *kit.Button // reveals the characters of a secret
	count  *kit.Label
	ok     *kit.Button
}

func newTextInput(c *card, q *dialog.TextInput) *textInput {
	t := &textInput{q: q, secret: Secret(q), count: kit.NewLabel("", 12, kit.ColorFaint)}
	t.field = kit.NewInput(c.sh.Clock, safetext.OneLine(q.Placeholder), !t.secret)
	t.field.EnterBreaks = !t.secret
	if t.secret {
		t.field.Password = true
		t.eye = kit.NewButton(kit.Ghost, "eye", "", t.reveal).Small()
	}
	rows := 4
	if q.ExpectsCode {
		rows = 8
		t.field.TextStyle.Monospace = true
	}
	if !t.secret {
		t.field.SetMinRowsVisible(rows)
	}
	t.field.Put(q.DefaultText)
	if f := c.Former; f != nil && !f.SwitchToText {
		t.field.Put(f.Text)
	}
	t.ok = kit.NewButton(kit.Primary, "check", "Send", func() { c.submit(t.answer()) }).Keyed("Ctrl+Enter")
	t.field.OnSubmit = t.ok.OnTapped
	t.field.OnTyped = func() { c.leaving.Edited(); t.typed() }
	t.typed()
	return t
}

// typed updates the character count. Above 70 % of the limit, the count has a warning colour, and
// above 90 % the colour of a failure.
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
	t.count.Set(fmt.Sprintf("%s of %s characters", format.Grouped(n), format.Grouped(t.q.MaxLength)))
	t.ok.SetEnabled(t.q.Accept(t.answer()) == nil)
}

// Secret reports whether a question asks for a password, a key or a code. The answer is masked on
// the screen and in the history.
func Secret(q dialog.Question) bool {
	t, ok := q.(*dialog.TextInput)
	return ok && fields.LooksSecret(t.Question+" "+t.Description+" "+t.Placeholder)
}

func (t *textInput) reveal() {
	t.field.Password = !t.field.Password
	t.eye.SetIcon("eye")
	if !t.field.Password {
		t.eye.SetIcon("eye-off")
	}
	t.field.Refresh()
}

const secretWarning = "This looks like a password or a key. The program that asks gets it as text, and its model reads it. If in doubt, cancel."

func (t *textInput) root() fyne.CanvasObject {
	if t.secret {
		field, words := kit.NewField(t.field), kit.NewText(secretWarning, 13, 20, kit.ColorText)
		warning := kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14},
			container.New(kit.Row{Gap: 10, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorWarn)), words))
		return described(t.q.Description, kit.Vertical(10, warning, kit.Horizontal(6, field, field, t.eye)))
	}
	return described(t.q.Description, kit.Vertical(6, kit.NewField(t.field), t.count))
}
func (t *textInput) first() fyne.Focusable        { return t.field }
func (t *textInput) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{t.ok} }
func (t *textInput) answer() dialog.Answer        { return dialog.Answer{Text: t.field.Text} }
func (t *textInput) hint() string                 { return "Ctrl+Enter sends" }
