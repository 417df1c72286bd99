package dialogs

import (
	"cmp"
	"fmt"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/safetext"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// guardTime is the time in which a new dialog takes no answer. It stops a key
// or click meant for the page behind from answering.
const guardTime = 300 * time.Millisecond

// A Sheet shows the first question of a queue. It belongs to the UI goroutine.
type Sheet struct {
	*shell.Shell
	Dialogs *Queue
	Asked   *openQuestion // the shown question; nil: none
	pause   pause
}

// A pause is the wait of a question for a pause in what the user types.
type pause struct {
	beat *kit.Ticker // nil: no question waits
	text string      // what the field had at the last beat
	over bool        // the user types no longer
}

// pauseBeats is how many beats without a change are a pause.
const pauseBeats = 10

// typing reports whether the user may be typing: a field with text has the focus, and a
// sheet would take the letters out of it. Sync runs again when the user pauses.
func (qs *Sheet) typing() bool {
	text := func() string {
		if in, ok := qs.Sheets.Window.Canvas().Focused().(*kit.Input); ok {
			return in.Text
		}
		return ""
	}
	p := &qs.pause
	if p.over || text() == "" {
		return false
	}
	if p.text = text(); p.beat == nil {
		p.beat = qs.Clock.Add(pauseBeats, func() {
			if now := text(); now != p.text && now != "" {
				p.text = now
				return
			}
			qs.resume()
			p.over = true
			qs.Sync()
			p.over = false
		})
	}
	return true
}

// resume ends the wait for a pause.
func (qs *Sheet) resume() {
	if qs.pause.beat != nil {
		qs.Clock.Remove(qs.pause.beat)
		qs.pause.beat = nil
	}
}

// An openQuestion is the sheet of one question.
type openQuestion struct {
	*kit.Sheet
	q *queued
}

// Sync shows the first question of the queue, if it is not on the screen yet.
func (qs *Sheet) Sync() {
	var shown *queued
	if qs.Asked != nil {
		shown = qs.Asked.q
	}
	q, behind := qs.Dialogs.first(shown)
	if qs.Asked != nil {
		if qs.Asked.q == q {
			if q.More != nil {
				q.More(behind)
			}
			return
		}
		qs.Sheets.Shut(qs.Asked.Sheet)
		qs.Asked = nil
	}
	if q == nil || qs.Ctx.Err() != nil {
		qs.resume()
		return
	}
	if qs.typing() {
		return
	}
	qs.resume()
	opened := qs.Now()
	answer := func(a any) {
		if qs.Now().Sub(opened) < q.Guard {
			return
		}
		if visit, ok := a.(func() any); ok {
			if a = visit(); a == nil {
				return
			}
		}
		qs.Dialogs.resolve(q, a)
	}
	qs.Asked = &openQuestion{q.Draw(qs.Shell, behind, answer), q}
	qs.Sheets.Open(qs.Asked.Sheet)
}

// Approval returns the question whether a tool may run.
func Approval(call agent.ToolCalled) shell.Question {
	return shell.Question{Guard: guardTime, Draw: func(sh *shell.Shell, behind int, answer func(any)) *kit.Sheet {
		return NewApproval(sh, call, behind, answer)
	}}
}

// NewApproval draws an approval. The focus begins on Deny, so that a key pressed
// by accident runs nothing.
func NewApproval(sh *shell.Shell, call agent.ToolCalled, behind int, answer func(any)) *kit.Sheet {
	deny := kit.NewButton(kit.Outline, "", "Deny", func() { answer(agent.Deny) })
	always := kit.NewButton(kit.Outline, "", "Always allow this tool", func() { answer(agent.AllowAlways) })
	once := kit.NewButton(kit.Primary, "check", "Allow once", func() { answer(agent.AllowOnce) })

	args := "{}"
	if len(call.Args) > 0 {
		args = view.FormatJSON(call.Args)
	}
	shown, note := view.Clip(args, view.CardBytes, view.CardLines)
	body := kit.NewText(shown, 12, 18, kit.ColorText)
	body.Style.Monospace = true
	parts := []fyne.CanvasObject{
		kit.NewText(`This tool can make changes. "Always" lasts until you revoke it, or until the tool changes.`, 14, 21, kit.ColorMuted),
		kit.Facts("Tool", call.Tool, "Server", cmp.Or(call.Server, "none of the connected servers")),
		kit.NewListing("Arguments", body, func() { sh.Copy(args) }),
	}
	if note != "" {
		parts = append(parts, kit.NewText(fmt.Sprintf("%s. Copy copies all of it.", note), 12, 18, kit.ColorWarn))
	}
	more := kit.NewLabel(shell.Waiting(behind), 12, kit.ColorFaint).Elided()
	s := kit.NewSheet(600, fmt.Sprintf("Run %s?", call.Tool), kit.Vertical(14, parts...), kit.Horizontal(8, more, more, deny, always, once))
	s.First = deny
	s.OnClose = func() { answer(agent.Deny) }
	return s
}

// argumentsOf returns the question for a tool's arguments.
func argumentsOf(q agent.Question) shell.Question {
	return shell.Question{Guard: guardTime, Draw: func(sh *shell.Shell, behind int, answer func(any)) *kit.Sheet {
		if len(q.Choices) > 0 {
			return NewChoice(q, behind, answer)
		}
		return NewArguments(sh, q, behind, answer)
	}}
}

// NewChoice draws a button for each tool that a question offers. The focus begins on
// None, so that a key pressed by accident runs nothing.
func NewChoice(q agent.Question, behind int, answer func(any)) *kit.Sheet {
	var buttons []fyne.CanvasObject
	for _, c := range q.Choices {
		button := kit.NewButton(kit.Outline, "", safetext.Name(c.Label), func() { answer(map[string]any{"tool": c.Value}) })
		from := kit.NewLabel(safetext.Name(c.Detail), 12, kit.ColorFaint).Elided()
		buttons = append(buttons, kit.Horizontal(10, from, button, from))
	}
	none := kit.NewButton(kit.Outline, "", "None of these", func() { answer(nil) })
	more := kit.NewLabel(shell.Waiting(behind), 12, kit.ColorFaint).Elided()
	s := kit.NewSheet(560, q.Description, kit.Vertical(10, buttons...), kit.Horizontal(8, more, more, none))
	s.First = none
	s.OnClose = func() { answer(nil) }
	return s
}

// NewArguments draws the form of a tool's arguments.
func NewArguments(sh *shell.Shell, q agent.Question, behind int, answer func(any)) *kit.Sheet {
	known := make(map[string]any, len(q.Args))
	for k, v := range q.Args {
		known[k] = v
	}
	lead := []fyne.CanvasObject{kit.Facts("Tool", q.Tool, "Server", q.Server)}
	if q.Description != "" {
		lead = append([]fyne.CanvasObject{kit.NewText(q.Description, 14, 21, kit.ColorMuted)}, lead...)
	}
	f := form.New(sh, q.Schema, known, lead)
	more := kit.NewLabel(shell.Waiting(behind), 12, kit.ColorFaint).Elided()
	submit := func() {
		if args, ok := f.Submit(); ok {
			answer(args)
		}
	}
	f.OnSubmit = submit
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { answer(nil) })
	s := kit.NewSheet(560, fmt.Sprintf("Arguments for %s", q.Tool), f.Root, kit.Horizontal(8, more, more, cancel,
		kit.NewButton(kit.Primary, "", "Submit", submit)))
	f.Sheet, s.First = s, f.First(cancel)
	s.OnClose = func() { answer(nil) }
	return s
}
