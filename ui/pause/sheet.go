package pause

import (
	"reflect"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A Sheet is a dialog over the page. Its methods belong to the UI goroutine.
type Sheet struct {
	*kit.Sheet
	*card
	who     *kit.Paragraph
	waiting *fyne.Container // shown if the caller does not wait
}

// NewSheet draws a dialog as a sheet. The sheet calls Answer; the caller closes the sheet.
func NewSheet(sh *shell.Shell, d Dialog) *Sheet {
	s := &Sheet{}
	s.card = newCard(sh, d, func() {
		if s.Sheet != nil {
			s.Refit()
		}
	})
	s.who = kit.NewText("", 13, 20, kit.ColorMuted)
	name := safetext.Name(d.Caller.Name)
	s.waiting = notice("clock", name+" no longer waits. goated keeps your answer for the next time it asks.")
	parts := []fyne.CanvasObject{d.Count.In(kit.Horizontal(10, s.who, icon(), s.who, d.Count.Button)), s.waiting}
	if d.Former != nil {
		parts = append(parts, notice("message", earlier(d.Question, *d.Former, name)))
	}
	content := kit.Vertical(14, append(parts, s.subject(), s.main, s.words, s.fault)...)
	foot, toText := s.foot()
	s.Sheet = kit.NewSheet(760, title(d.Question), content, foot)
	s.First = s.body.first()
	if f := d.Former; f != nil && f.SwitchToText {
		s.own.Put(f.Text)
		s.showText(toText, true)
		s.First = s.own
	}
	s.OnDrop = s.drop
	s.OnAccept = func() { s.submit(s.body.answer()) }
	s.OnClose = s.escape
	s.Holds = kit.Typed(kit.InputsOf(content)...)
	s.Waits(true)
	return s
}

// Waits sets whether the caller waits for the answer.
func (s *Sheet) Waits(on bool) {
	line := asks(s.Dialog) + "."
	if on {
		line += " It receives your answer."
	}
	s.who.SetText(line)
	s.waiting.Hidden = on
	s.refit()
}

// earlier returns the note that the dialog starts with the user's previous answer.
func earlier(q dialog.Question, a dialog.Answer, name string) string {
	c, ok := q.(*dialog.Confirm)
	if !ok || a.Confirmed == nil {
		return "You answered this before, and " + name + " did not get the answer. It is filled in below."
	}
	word := c.NoLabel
	if *a.Confirmed {
		word = c.YesLabel
	}
	return "You answered “" + safetext.Name(word) + "” before, and " + name + " did not get the answer. Please answer again."
}

// notice returns a highlighted line above the question.
func notice(symbol, text string) *fyne.Container {
	words := kit.NewText(text, 13, 20, kit.ColorText)
	return kit.Boxed(kit.NewPanel(kit.ColorWarnSoft, kit.ColorNone, 10), kit.Margin{Top: 8, Right: 14, Bottom: 8, Left: 14},
		kit.Horizontal(10, words, kit.NewIcon(symbol, 16, kit.ColorWarn), words))
}

// Draft returns the input that the user has not sent. It returns the zero value if there is none.
func (c *card) Draft() dialog.Answer {
	a := c.body.answer()
	if reflect.DeepEqual(a, c.began) {
		a = dialog.Answer{}
	}
	text := strings.TrimSpace(c.own.Text)
	if f := c.Former; f != nil && f.SwitchToText && text == f.Text {
		text = ""
	}
	switch {
	case text != "" && c.asText:
		return dialog.Answer{SwitchToText: true, Text: text}
	case text != "":
		a.Context = strings.TrimSpace(a.Context + "\n" + text)
	}
	return a
}
