package dialogs

import (
	"cmp"
	"fmt"
	"net/url"
	"time"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
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
}

// An openQuestion is the sheet of one question.
type openQuestion struct {
	*kit.Sheet
	q *queued
}

// Sync shows the first question of the queue, if it is not on the screen yet.
func (qs *Sheet) Sync() {
	q, behind := qs.Dialogs.first()
	if qs.Asked != nil {
		if qs.Asked.q == q {
			return
		}
		qs.Sheets.Shut(qs.Asked.Sheet)
		qs.Asked = nil
	}
	if q == nil || qs.Ctx.Err() != nil {
		return
	}
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
		kit.NewText(`This tool can make changes. "Always" lasts until you quit.`, 14, 21, kit.ColorMuted),
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
		return NewArguments(sh, q, behind, answer)
	}}
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
			for k, v := range known {
				if !f.Has(k) {
					args[k] = v // keeps known arguments without a field
				}
			}
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

// An elicitation is a server's question.
type elicitation struct {
	server string
	params *mcp.ElicitParams
}

// question asks with a form, or asks to open a page.
func (e elicitation) question() shell.Question {
	return shell.Question{Guard: guardTime, Draw: func(sh *shell.Shell, behind int, answer func(any)) *kit.Sheet {
		if e.params.Mode == "url" || e.params.RequestedSchema == nil && e.params.URL != "" {
			return newVisit(sh, e, answer)
		}
		return newElicit(sh, e, behind, answer)
	}}
}

// newElicit draws the form of an elicitation.
func newElicit(sh *shell.Shell, e elicitation, behind int, answer func(any)) *kit.Sheet {
	lead := []fyne.CanvasObject{kit.Facts("Asked by", e.server)}
	if e.params.Message != "" {
		lead = append(lead, kit.NewText(e.params.Message, 14, 21, kit.ColorText))
	}
	f := form.New(sh, e.params.RequestedSchema, nil, lead)
	more := kit.NewLabel(shell.Waiting(behind), 12, kit.ColorFaint).Elided()
	submit := func() {
		if content, ok := f.Submit(); ok {
			answer(&mcp.ElicitResult{Action: "accept", Content: content})
		}
	}
	f.OnSubmit = submit
	decline := kit.NewButton(kit.Outline, "", "Decline", func() { answer(&mcp.ElicitResult{Action: "decline"}) })
	s := kit.NewSheet(560, "A server asks", f.Root, kit.Horizontal(8, more, more, decline,
		kit.NewButton(kit.Primary, "", "Submit", submit)))
	f.Sheet, s.First = s, f.First(decline)
	s.OnClose = func() { answer(&mcp.ElicitResult{Action: "cancel"}) }
	return s
}

// newVisit asks whether to open a page that a server names. It shows the whole
// address and opens only http and https.
func newVisit(sh *shell.Shell, e elicitation, answer func(any)) *kit.Sheet {
	parts := []fyne.CanvasObject{kit.Facts("Asked by", e.server, "Address", e.params.URL)}
	if e.params.Message != "" {
		parts = append(parts, kit.NewText(e.params.Message, 14, 21, kit.ColorText))
	}
	decline := kit.NewButton(kit.Outline, "", "Decline", func() { answer(&mcp.ElicitResult{Action: "decline"}) })
	open := kit.NewButton(kit.Primary, "external", "Open in the browser", nil)
	page, err := url.Parse(e.params.URL)
	if err != nil || page.Scheme != "https" && page.Scheme != "http" || page.Host == "" {
		open.SetEnabled(false)
		parts = append(parts, kit.NewText("This is not the address of a web page, so goated can't open it.", 13, 20, kit.ColorBad))
	}
	visit := func() any {
		if err := sh.OpenURL(page); err != nil {
			sh.Toasts.Say("alert", fmt.Sprintf("Opening the browser failed: %s", err.Error()))
			return nil
		}
		return &mcp.ElicitResult{Action: "accept"}
	}
	open.OnTapped = func() { answer(visit) }
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	s := kit.NewSheet(560, "A server asks you to visit a page", kit.Vertical(14, parts...), kit.Horizontal(8, gap, gap, decline, open))
	s.First = decline
	s.OnClose = func() { answer(&mcp.ElicitResult{Action: "cancel"}) }
	return s
}
