package ui

import (
	"cmp"
	"fmt"
	"net/url"
	"time"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
)

// guardTime is how long a dialog takes no answer after it has come up, so that
// what was typed or pressed for the page behind it decides nothing.
const guardTime = 300 * time.Millisecond

// An asking is the sheet of one question.
type asking struct {
	*kit.Sheet
	q *question
}

// sync shows the first question of the queue, if it is not shown already.
func (w *Window) sync() {
	q, behind := w.dialogs.head()
	if w.asked != nil {
		if w.asked.q == q {
			return
		}
		w.shut(w.asked.Sheet)
		w.asked = nil
	}
	if q == nil || w.closed {
		return
	}
	opened, guard := w.now(), guardTime
	if _, comes := q.kind.(begging); comes {
		guard = permitGuard
	}
	answer := func(a any) {
		if w.now().Sub(opened) < guard {
			return
		}
		if visit, ok := a.(func() any); ok {
			if a = visit(); a == nil {
				return
			}
		}
		w.dialogs.settle(q, a)
	}
	w.asked = &asking{w.newAsk(q.kind, behind, answer), q}
	w.open(w.asked.Sheet)
}

func (w *Window) newAsk(kind any, behind int, answer func(any)) *kit.Sheet {
	switch k := kind.(type) {
	case agent.ToolCalled:
		return w.newApproval(k, behind, answer)
	case agent.Question:
		return w.newQuestion(k, behind, answer)
	case elicitation:
		if k.params.Mode == "url" || k.params.RequestedSchema == nil && k.params.URL != "" {
			return w.newVisit(k, answer)
		}
		return w.newElicit(k, behind, answer)
	case begging:
		return w.newBegging(k, behind, answer)
	}
	panic(fmt.Sprintf("ui: %T is no question", kind))
}

// waiting says that more questions follow; empty if none do.
func waiting(behind int) string {
	if behind == 0 {
		return ""
	}
	return view.Plural(behind, "%d more question waits", "%d more questions wait")
}

// newApproval asks whether a tool may run. The focus begins on Deny: what is
// pressed by accident must not run anything.
func (w *Window) newApproval(call agent.ToolCalled, behind int, answer func(any)) *kit.Sheet {
	deny := kit.NewButton(kit.Outline, "", "Deny", func() { answer(agent.Deny) })
	always := kit.NewButton(kit.Outline, "", "Always allow this tool", func() { answer(agent.AllowAlways) })
	once := kit.NewButton(kit.Primary, "check", "Allow once", func() { answer(agent.AllowOnce) })

	args := "{}"
	if len(call.Args) > 0 {
		args = view.FormatJSON(call.Args)
	}
	shown, note := view.Clip(args, cardBytes, cardLines)
	body := kit.NewText(shown, 12, 18, kit.ColorText)
	body.Style.Monospace = true
	parts := []fyne.CanvasObject{
		kit.NewText("Look at what it would do before you let it. Always is until goated quits.", 14, 21, kit.ColorMuted),
		facts("Tool", call.Tool, "Server", cmp.Or(call.Server, "none of those connected")),
		kit.NewListing("Arguments", body, func() { w.copy(args) }),
	}
	if note != "" {
		parts = append(parts, kit.NewText(fmt.Sprintf("%s. Copy takes all of it.", note), 12, 18, kit.ColorWarn))
	}
	more := kit.NewLabel(waiting(behind), 12, kit.ColorFaint).Elided()
	s := kit.NewSheet(600, fmt.Sprintf("Run %s?", call.Tool), kit.Vertical(14, parts...), kit.Horizontal(8, more, more, deny, always, once))
	s.First = deny
	s.OnClose = func() { answer(agent.Deny) }
	return s
}

// facts are names and what they stand for, under each other.
func facts(words ...string) fyne.CanvasObject {
	list := kit.Vertical(6)
	wide := float32(76)
	for i := 0; i+1 < len(words); i += 2 {
		wide = max(wide, kit.NewLabel(words[i], 13, kit.ColorMuted).MinSize().Width+12)
	}
	for i := 0; i+1 < len(words); i += 2 {
		value := kit.NewText(words[i+1], 13, 19, kit.ColorText)
		value.Style.Monospace = true
		list.Add(kit.Horizontal(0, value, kit.Sized(wide, 19, kit.NewLabel(words[i], 13, kit.ColorMuted)), value))
	}
	return kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 10), kit.Margin{Top: 11, Right: 14, Bottom: 11, Left: 14}, list)
}

// newQuestion asks for a tool's arguments.
func (w *Window) newQuestion(q agent.Question, behind int, answer func(any)) *kit.Sheet {
	known := make(map[string]any, len(q.Args))
	for k, v := range q.Args {
		known[k] = v
	}
	lead := []fyne.CanvasObject{facts("Tool", q.Tool, "Server", q.Server)}
	if q.Description != "" {
		lead = append([]fyne.CanvasObject{kit.NewText(q.Description, 14, 21, kit.ColorMuted)}, lead...)
	}
	f := newForm(w.shell, q.Schema, known, lead)
	more := kit.NewLabel(waiting(behind), 12, kit.ColorFaint).Elided()
	submit := func() {
		if args, ok := f.submit(); ok {
			for k, v := range known {
				if !f.has(k) {
					args[k] = v // the form has no field for it; it is not lost
				}
			}
			answer(args)
		}
	}
	f.OnSubmit = submit
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { answer(nil) })
	s := kit.NewSheet(560, fmt.Sprintf("Arguments for %s", q.Tool), f.root, kit.Horizontal(8, more, more, cancel,
		kit.NewButton(kit.Primary, "", "Submit", submit)))
	f.sheet, s.First = s, f.first(cancel)
	s.OnClose = func() { answer(nil) }
	return s
}

// newElicit asks what a server wants to know.
func (w *Window) newElicit(e elicitation, behind int, answer func(any)) *kit.Sheet {
	lead := []fyne.CanvasObject{facts("Asked by", e.server)}
	if e.params.Message != "" {
		lead = append(lead, kit.NewText(e.params.Message, 14, 21, kit.ColorText))
	}
	f := newForm(w.shell, e.params.RequestedSchema, nil, lead)
	more := kit.NewLabel(waiting(behind), 12, kit.ColorFaint).Elided()
	submit := func() {
		if content, ok := f.submit(); ok {
			answer(&mcp.ElicitResult{Action: "accept", Content: content})
		}
	}
	f.OnSubmit = submit
	decline := kit.NewButton(kit.Outline, "", "Decline", func() { answer(&mcp.ElicitResult{Action: "decline"}) })
	s := kit.NewSheet(560, "A server asks", f.root, kit.Horizontal(8, more, more, decline,
		kit.NewButton(kit.Primary, "", "Submit", submit)))
	f.sheet, s.First = s, f.first(decline)
	s.OnClose = func() { answer(&mcp.ElicitResult{Action: "cancel"}) }
	return s
}

// newVisit asks whether to open a page that a server names. The whole address is
// shown, and nothing but the web is opened.
func (w *Window) newVisit(e elicitation, answer func(any)) *kit.Sheet {
	parts := []fyne.CanvasObject{facts("Asked by", e.server, "Address", e.params.URL)}
	if e.params.Message != "" {
		parts = append(parts, kit.NewText(e.params.Message, 14, 21, kit.ColorText))
	}
	decline := kit.NewButton(kit.Outline, "", "Decline", func() { answer(&mcp.ElicitResult{Action: "decline"}) })
	open := kit.NewButton(kit.Primary, "external", "Open in the browser", nil)
	page, err := url.Parse(e.params.URL)
	if err != nil || page.Scheme != "https" && page.Scheme != "http" || page.Host == "" {
		open.SetEnabled(false)
		parts = append(parts, kit.NewText("This is not the address of a web page, so it can't be opened.", 13, 20, kit.ColorBad))
	}
	visit := func() any {
		if err := w.app.OpenURL(page); err != nil {
			w.toasts.Say("alert", fmt.Sprintf("The browser did not open: %s", err.Error()))
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
