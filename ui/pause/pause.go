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
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/shell"
	"goated/ui/view"
)

// A Dialog is a question with everything that its card needs. Question is checked.
type Dialog struct {
	Question dialog.Question
	Caller   dialog.Caller
	Count    *shell.Counter      // opens the list of the questions that wait
	Former   *dialog.Answer      // the dialog begins with it: what the user answered before; nil: nothing
	Answer   func(dialog.Answer) // called once, on the UI goroutine

	Files Sources
}

// Sources are the ways to add files to an answer. Each passes the files to add later, on
// the UI goroutine, and tells the user of a failure. Each may be nil: the dialog does not
// offer that way.
type Sources struct {
	Pick    func(add func([]dialog.Attachment))                 // the user chooses files
	Paste   func(add func([]dialog.Attachment))                 // the picture on the clipboard
	Read    func(paths []string, add func([]dialog.Attachment)) // files dropped onto the window
	Capture func(add func([]dialog.Attachment))                 // the user marks a region of the screen
	Blind   string                                              // why there is no Capture; may be empty
}

// A body is the part of a dialog that depends on the kind of question.
type body interface {
	root() fyne.CanvasObject
	first() fyne.Focusable
	buttons() []fyne.CanvasObject // from the left; the last is the main action
	answer() dialog.Answer        // of Ctrl+Enter
	hint() string                 // what the keys do, besides Esc
}

// A card is an open dialog, on a sheet or in a conversation.
type card struct {
	Dialog
	sh    *shell.Shell
	body  body
	fault *kit.Paragraph // why an answer was not accepted
	refit func()         // the height may have changed

	main   *fyne.Container // what the kind draws
	words  *fyne.Container // the field of "Switch to text"
	own    *kit.Input
	asText bool
	began  dialog.Answer // what the dialog had entered when it opened
	since  time.Time     // when it appeared
	done   bool
}

// newCard draws the parts of a dialog; refit runs when its height may have changed.
func newCard(sh *shell.Shell, d Dialog, refit func()) *card {
	c := &card{Dialog: d, sh: sh, refit: refit, since: sh.Now(), fault: kit.NewText("", 13, 20, kit.ColorBad)}
	c.fault.Hide()
	c.body = c.bodyOf(d.Question)
	secret := Secret(d.Question) // it stays masked as text, too
	c.own = kit.NewInput(sh.Clock, "Write your answer", !secret)
	c.own.EnterBreaks, c.own.Password = !secret, secret
	if !secret {
		c.own.SetMinRowsVisible(5)
	}
	c.own.OnSubmit = func() { c.submit(c.body.answer()) }
	c.words = kit.Vertical(6, kit.NewLabel("Your answer", 13, kit.ColorText).Strong(), kit.NewField(c.own))
	c.words.Hide()
	c.main = kit.Vertical(14, c.body.root())
	c.began = c.body.answer()
	if keys, ok := c.body.first().(interface{ box() *keyBox }); ok {
		keys.box().asText = func() bool { return c.asText }
	}
	return c
}

// subject returns the question in full. One of several lines may have lists and code.
func (c *card) subject() fyne.CanvasObject {
	text := strings.TrimSpace(c.Question.Subject())
	kind := c.Question.Kind()
	if strings.Contains(text, "\n") && kind != dialog.KindConfirm {
		return markdown.Text(text)
	}
	subject := kit.NewText(safetext.Mark(unmarked(kind, text)), 15, 23, kit.ColorText)
	subject.Style.Bold = true
	return subject
}

// The words of the button that switches to text and back.
const toOwnWords, toOptions = "Switch to text", "Back to the options"

// foot returns the row at the bottom, and its first button: the switch to text, and the actions
// from Cancel to the main one. Actions without room beside it go below it, and into several rows.
func (c *card) foot() (foot *fyne.Container, toText *kit.Button) {
	toText = kit.NewButton(kit.Ghost, "keyboard", toOptions, nil)
	toText.OnTapped = func() { c.switchToText(toText) }
	room := kit.SideBySide{Gap: 8, Least: toText.MinSize().Width, Right: true}
	toText.SetText(toOwnWords)
	cancel := kit.NewButton(kit.Outline, "", "Cancel", c.cancel).Keyed("Esc")
	actions := shell.Buttons(append([]fyne.CanvasObject{cancel}, c.body.buttons()...)...)
	return container.New(room, kit.Horizontal(8, nil, toText), actions), toText
}

func title(q dialog.Question) string {
	if c, ok := q.(*dialog.Confirm); ok {
		return safetext.Name(c.Title)
	}
	switch q.Kind() {
	case dialog.KindPlanner:
		return "How should it go on?"
	case dialog.KindScreenshot:
		return "A screenshot, please"
	}
	return "A question for you"
}

// asks says who asks. It is in the first line of each dialog.
func asks(d Dialog) string {
	line := safetext.Name(d.Caller.Name) + " asks"
	if d.Caller.Folder != "" {
		line += " in " + safetext.Name(filepath.Base(d.Caller.Folder))
	}
	return line
}

// Appear notes that the user sees the dialog from now on.
func (c *card) Appear() { c.since = c.sh.Now() }

// Listed describes a dialog in the list of the questions that wait.
func (d Dialog) Listed() shell.Entry {
	who := tool(d.Question.Kind()) + " · " + safetext.Cut(d.Caller.Name, 40)
	if d.Caller.Folder != "" {
		who += " in " + safetext.Cut(filepath.Base(d.Caller.Folder), 40)
	}
	return shell.Entry{Icon: "message", Who: who, What: safetext.Cut(Asked(d.Question), 90)}
}

// drop adds files that were dropped onto the window.
func (c *card) drop(paths []string) {
	var to *files
	switch b := c.body.(type) {
	case *planner:
		to = b.files
	case *screenshot:
		to = b.files
	}
	if to != nil && c.Files.Read != nil && !c.asText {
		c.Files.Read(paths, to.add)
	}
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
	if !c.open() {
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
		c.fault.SetText(view.PlainSentence(err))
		c.fault.Show()
		c.refit()
		return
	}
	c.done = true
	c.Answer(a)
}

// open reports whether an answer counts now.
func (c *card) open() bool { return !c.done && c.sh.Now().Sub(c.since) >= shell.GuardTime }

func (c *card) cancel() {
	if c.open() {
		c.done = true
		c.Answer(dialog.Answer{Cancelled: true, Time: c.sh.Now().UTC()})
	}
}

// switchToText changes between the dialog and a field for an answer in the user's
// own words. Neither loses what the user entered.
func (c *card) switchToText(b *kit.Button) {
	c.showText(b, !c.asText)
	focus := c.body.first()
	if c.asText {
		focus = c.own
	}
	c.fault.Hide()
	c.refit()
	if focus != nil {
		kit.Focus(focus)
	}
}

// showText shows the field for the user's own words, or the dialog.
func (c *card) showText(b *kit.Button, on bool) {
	c.asText = on
	c.main.Hidden, c.words.Hidden = on, !on
	b.SetText(toOwnWords)
	if on {
		b.SetText(toOptions)
	}
}

func heading(text string) fyne.CanvasObject { return kit.NewLabel(text, 12, kit.ColorMuted) }
