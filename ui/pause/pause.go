// Package pause draws the six dialogs of seed 004, in which a model asks the user.
//
// It owns the widgets of a dialog and the answer that the user enters. It must not depend on the
// recipient of the answer: the caller passes a question and a function. No dialog looks like an
// approval of goated. It has the icon of a conversation and never the shield, and its first line
// names the program that asks.
package pause

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/errtext"
	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/shell"
)

// A Dialog is a question with everything that its card needs. The question was checked.
type Dialog struct {
	Question dialog.Question
	Caller   dialog.Caller
	Count    *shell.Counter      // opens the list of waiting questions
	Former   *dialog.Answer      // the user's previous answer, with which the dialog starts; nil: none
	Answer   func(dialog.Answer) // called once, on the UI goroutine

	Files Sources
}

// Sources are the ways to add files to an answer. Each function later calls add with the files,
// on the UI goroutine, and shows its own errors. If a function is nil, the dialog does not offer
// that way.
type Sources struct {
	Pick    func(add func([]dialog.Attachment))                 // lets the user choose files
	Paste   func(add func([]dialog.Attachment))                 // adds the picture on the clipboard
	Read    func(paths []string, add func([]dialog.Attachment)) // adds files that were dropped onto the window
	Capture func(add func([]dialog.Attachment))                 // lets the user mark a region of the screen
	Blind   string                                              // why Capture is nil; may be empty
}

// A body is the part of a dialog that depends on the kind of question.
type body interface {
	root() fyne.CanvasObject
	first() fyne.Focusable
	buttons() []fyne.CanvasObject // from the left; the last one is the main action
	answer() dialog.Answer        // the answer that Ctrl+Enter sends
	hint() string                 // describes the keys other than Esc
}

// A card is an open dialog, on a sheet or in a conversation.
type card struct {
	Dialog
	sh    *shell.Shell
	body  body
	fault *kit.Paragraph // why an answer was rejected
	refit func()         // runs when the height may have changed

	leaving *form.Leaving
	main    *fyne.Container // the content for the kind of question
	words   *fyne.Container // the field of "Switch to text"
	own     *kit.Input
	asText  bool
	began   dialog.Answer // the initial input of the dialog
	since   time.Time     // when the dialog appeared
	done    bool
}

// newCard draws the parts of a dialog. refit runs when the height may have changed.
func newCard(sh *shell.Shell, d Dialog, refit func()) *card {
	c := &card{Dialog: d, sh: sh, refit: refit, since: sh.Now(), leaving: form.NewLeaving(sh, refit), fault: kit.NewText("", 13, 20, kit.ColorBad)}
	c.fault.Hide()
	c.leaving.Warning.SetText("Press Esc again to cancel. What you entered is lost then.")
	c.body = c.bodyOf(d.Question)
	secret := Secret(d.Question) // masked as text too
	c.own = kit.NewInput(sh.Clock, "Write your answer", !secret)
	c.own.EnterBreaks, c.own.Password = !secret, secret
	if !secret {
		c.own.SetMinRowsVisible(5)
	}
	c.own.OnTyped = c.leaving.Edited
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

// subject returns the full question. A question with several lines may contain lists and code.
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

// The labels of the button that switches between text and options.
const toOwnWords, toOptions = "Switch to text", "Back to the options"

// foot returns the bottom of a card: the warning about Esc, and a row of buttons. The first button,
// which it also returns, switches to text. The others are the actions, from Cancel to the main
// action. If they do not fit beside the first, they go below it, in several rows if necessary.
func (c *card) foot() (foot *fyne.Container, toText *kit.Button) {
	toText = kit.NewButton(kit.Ghost, "keyboard", toOptions, nil)
	toText.OnTapped = func() { c.switchToText(toText) }
	room := kit.SideBySide{Gap: 8, Least: toText.MinSize().Width, Right: true}
	toText.SetText(toOwnWords)
	cancel := kit.NewButton(kit.Outline, "", "Cancel", c.cancel).Keyed("Esc")
	actions := shell.Buttons(append([]fyne.CanvasObject{cancel}, c.body.buttons()...)...)
	return kit.Vertical(8, c.leaving.Warning, container.New(room, kit.Horizontal(8, nil, toText), actions)), toText
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

// asks returns a line that names the asking program. It is the first line of each dialog.
func asks(d Dialog) string {
	line := safetext.Name(d.Caller.Name) + " asks"
	if d.Caller.Folder != "" {
		line += " in " + safetext.Name(filepath.Base(d.Caller.Folder))
	}
	return line
}

// Appear records that the dialog is visible to the user from now on.
func (c *card) Appear() { c.since = c.sh.Now() }

// Listed returns the entry for the list of waiting questions.
func (d Dialog) Listed() shell.Entry {
	who := tool(d.Question.Kind()) + " · " + safetext.Cut(d.Caller.Name, 40)
	if d.Caller.Folder != "" {
		who += " in " + safetext.Cut(filepath.Base(d.Caller.Folder), 40)
	}
	return shell.Entry{Icon: "message", Who: who, What: safetext.Cut(Asked(d.Question), 90)}
}

// drop adds files that the user dropped onto the window.
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
	panic(fmt.Sprintf("no dialog for %T", q)) // dialog.Parse returns no other types
}

// submit sends the answer, or shows why it is invalid.
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
		c.fault.SetText(errtext.PlainSentence(err))
		c.fault.Show()
		c.refit()
		return
	}
	c.done = true
	c.Answer(a)
}

// open reports whether an answer is accepted now.
func (c *card) open() bool { return !c.done && c.sh.Now().Sub(c.since) >= shell.GuardTime }

func (c *card) cancel() {
	if c.open() {
		c.done = true
		c.Answer(dialog.Answer{Cancelled: true, Time: c.sh.Now().UTC()})
	}
}

// switchToText switches between the dialog and a field for a text answer. Neither direction loses
// input.
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

// showText shows the field for a text answer, or the dialog.
func (c *card) showText(b *kit.Button, on bool) {
	c.asText = on
	c.main.Hidden, c.words.Hidden = on, !on
	b.SetText(toOwnWords)
	if on {
		b.SetText(toOptions)
	}
}

func heading(text string) fyne.CanvasObject { return kit.NewLabel(text, 12, kit.ColorMuted) }
