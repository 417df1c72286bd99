// Package pause draws the six dialogs of seed 004, in which a model asks the user.
//
// It owns the widgets of a dialog and the answer that the user puts together. It must
// not know who waits for the answer: the caller passes a question and a function. No
// dialog looks like an approval of goated: it has the icon of a conversation, never
// the shield, and its first line names the program that asks.
package pause

import (
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// A Dialog is a question with everything that its sheet needs. Question is checked.
type Dialog struct {
	Question dialog.Question
	Caller   dialog.Caller
	Behind   int                 // how many questions wait behind this one
	Answer   func(dialog.Answer) // called once, on the UI goroutine

	// Pick lets the user choose files. nil: the dialog takes no files.
	Pick func(add func([]dialog.Attachment))
	// Paste returns the picture of the clipboard. nil: pictures can only be chosen.
	Paste func() (dialog.Attachment, bool)
}

// A body is the part of a dialog that depends on the kind of question.
type body interface {
	root() fyne.CanvasObject
	first() fyne.Focusable
	buttons() []fyne.CanvasObject // from the left; the last is the main action
	answer() dialog.Answer
}

// A card is an open dialog.
type card struct {
	Dialog
	sh    *shell.Shell
	sheet *kit.Sheet
	body  body
	fault *kit.Paragraph // why an answer was not accepted

	main   *fyne.Container // what the kind draws
	words  *fyne.Container // the field of "Switch to text"
	own    *kit.Input
	asText bool
	done   bool
}

// NewSheet draws a dialog as a sheet. The sheet calls Answer; the caller closes it.
func NewSheet(sh *shell.Shell, d Dialog) *kit.Sheet {
	c := &card{Dialog: d, sh: sh, fault: kit.NewText("", 13, 20, kit.ColorBad)}
	c.fault.Hide()
	c.body = c.bodyOf(d.Question)
	c.own = kit.NewInput(sh.Clock, "Write your answer", true)
	c.own.EnterBreaks = true
	c.own.SetMinRowsVisible(5)
	c.own.OnSubmit = func() { c.submit(c.body.answer()) }
	c.words = kit.Vertical(6, kit.NewLabel("Your answer", 13, kit.ColorText).Strong(), kit.NewField(c.own))
	c.words.Hide()
	c.main = kit.Vertical(14, c.body.root())

	who := kit.NewText(asks(d), 13, 20, kit.ColorMuted)
	subject := kit.NewText(safetext.Mark(d.Question.Subject()), 15, 23, kit.ColorText)
	subject.Style.Bold = true
	content := kit.Vertical(14, kit.Horizontal(10, who, icon(), who), subject, c.main, c.words, c.fault)

	toText := kit.NewButton(kit.Ghost, "keyboard", "Switch to text", nil)
	toText.OnTapped = func() { c.switchToText(toText) }
	cancel := kit.NewButton(kit.Outline, "", "Cancel", c.cancel).Keyed("Esc")
	gap := kit.NewLabel(shell.Waiting(d.Behind), 12, kit.ColorFaint).Elided()
	foot := append([]fyne.CanvasObject{toText, gap, cancel}, c.body.buttons()...)
	c.sheet = kit.NewSheet(760, title(d.Question), content, kit.Horizontal(8, gap, foot...))
	c.sheet.First = c.body.first()
	c.sheet.OnClose = c.cancel
	return c.sheet
}

func title(q dialog.Question) string {
	if c, ok := q.(*dialog.Confirm); ok {
		return safetext.Name(c.Title)
	}
	switch q.Kind() {
	case dialog.KindPlanner:
		return "How to go on?"
	case dialog.KindScreenshot:
		return "A screenshot, please"
	}
	return "A question for you"
}

// asks is the first line of a dialog.
func asks(d Dialog) string {
	line := safetext.Name(d.Caller.Name) + " asks"
	if d.Caller.Folder != "" {
		line += " in " + safetext.Name(filepath.Base(d.Caller.Folder))
	}
	return line + ". It receives your answer."
}

func icon() fyne.CanvasObject {
	ground := kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8)
	return kit.Sized(30, 30, kit.Inset(kit.Margin{}, ground, kit.Inset(kit.Margin{Top: 7, Right: 7, Bottom: 7, Left: 7}, kit.NewIcon("message", 16, kit.ColorAccent))))
}

func (c *card) bodyOf(q dialog.Question) body {
	switch q := q.(type) {
	case *dialog.Planner:
		return newPlanner(c, q)
	case *dialog.TextInput:
		return newTextInput(c, q)
	case *dialog.SingleChoice:
		return newSingleChoice(c, q)
	case *dialog.MultiChoice:
		return newMultiChoice(c, q)
	case *dialog.Screenshot:
		return newScreenshot(c, q)
	case *dialog.Confirm:
		return newConfirm(c, q)
	}
	panic(fmt.Sprintf("no dialog for %T", q)) // dialog.Question is sealed by dialog.Parse
}

// submit gives the answer, or says why it does not fit.
func (c *card) submit(a dialog.Answer) {
	if c.done {
		return
	}
	if c.asText {
		a = dialog.Answer{SwitchToText: true, Text: strings.TrimSpace(c.own.Text)}
	}
	a.Time = c.sh.Now().UTC()
	err := a.Check()
	if err == nil {
		err = c.Question.Accept(a)
	}
	if err != nil {
		c.fault.SetText(view.Sentence(err.Error()))
		c.fault.Show()
		c.sheet.Refit()
		return
	}
	c.done = true
	c.Answer(a)
}

func (c *card) cancel() {
	if !c.done {
		c.done = true
		c.Answer(dialog.Answer{Cancelled: true, Time: c.sh.Now().UTC()})
	}
}

// switchToText changes between the dialog and a field for an answer in the user's
// own words. Neither loses what the user entered.
func (c *card) switchToText(b *kit.Button) {
	c.asText = !c.asText
	c.main.Hidden, c.words.Hidden = c.asText, !c.asText
	text, focus := "Switch to text", c.body.first()
	if c.asText {
		text, focus = "Back to the options", fyne.Focusable(c.own)
	}
	b.SetText(text)
	c.fault.Hide()
	c.sheet.Refit()
	if focus != nil {
		c.sh.Sheets.Window.Canvas().Focus(focus)
	}
}

func heading(text string) fyne.CanvasObject { return kit.NewLabel(text, 12, kit.ColorMuted) }
