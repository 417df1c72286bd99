package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/registry"
	"goated/ui/view"
)

// toolRows is how many tools are listed at once; the filter finds the others.
const toolRows = 60

// toolsPage is the list of tools, or the one that is looked at.
func (b *serverBook) toolsPage() fyne.CanvasObject {
	for _, e := range b.server.Tools {
		if e.Tool != nil && e.Tool.Name == b.tool {
			return b.toolPage(e)
		}
	}
	b.tool = ""
	page := vertical(10)
	if len(b.server.Tools) == 0 {
		page.Add(emptyNote("tool", "This server has no tools that can be called now."))
	}
	list := vertical(6)
	if len(b.server.Tools) > 8 {
		in := newInput(b.w.clock, "Find a tool", false)
		in.put(b.filter)
		in.OnTyped = func() {
			b.filter = in.Text
			b.listTools(list)
			b.refit()
		}
		page.Add(newField(in))
	}
	b.listTools(list)
	page.Add(list)
	for _, reason := range view.ParkedReasons(b.server) {
		page.Add(newText(reason, 12, 18, colorWarn))
	}
	return page
}

func (b *serverBook) listTools(list *fyne.Container) {
	list.Objects = nil
	tools := b.server.Tools
	found := view.Rank(b.filter, len(tools), func(i int) (string, string) {
		if tools[i].Tool == nil {
			return "", ""
		}
		return tools[i].Tool.Name, tools[i].Tool.Description
	})
	for _, m := range found[:min(len(found), toolRows)] {
		e := tools[m.Index]
		if e.Tool == nil {
			continue
		}
		about := e.Tool.Description
		if about == "" {
			about = "The server says nothing about it."
		}
		list.Add(b.listed(e.Tool.Name, m.At, view.Cut(about, 160), "Try", func() {
			b.tool = e.Tool.Name
			b.draw(serverTools)
		}))
	}
	if n := len(found) - toolRows; n > 0 {
		list.Add(newLabel(view.Plural(n, "and %d more: type some letters of the name", "and %d more: type some letters of the name"), 12, colorFaint))
	}
}

// listed is a row of a list: a name, what it is, and a word for what a press does.
func (b *serverBook) listed(name string, at []int, about, word string, tapped func()) fyne.CanvasObject {
	spot := newHotspot(10, tapped)
	spot.rest(colorSurface, colorBorder)
	title := newLettered(14)
	title.set(name, at)
	words := vertical(2, title, newLabel(about, 12, colorMuted).elided())
	mark := horizontal(4, nil, newLabel(word, 12, colorMuted).medium(), newGlyph("chevron-right", 14, colorMuted))
	return container.New(margin{}, spot, inset(margin{9, 12, 10, 14}, horizontal(12, words, words, mark)))
}

// back leads to the list.
func (b *serverBook) back(text string, to func()) fyne.CanvasObject {
	gap := newLabel("", 12, colorFaint).elided()
	arrow := newButton(ghost, "back", text, to).small()
	return inset(margin{0, 0, 0, -9}, horizontal(0, gap, arrow, gap))
}

// toolPage is what one tool is, and a form to try it with.
func (b *serverBook) toolPage(e registry.Entry) fyne.CanvasObject {
	w := b.w
	name := newLabel(e.Tool.Name, 16, colorText).strong().elided()
	page := vertical(0, b.back("All tools", func() { b.tool = ""; b.draw(serverTools) }), inset(margin{8, 0, 0, 0}, name))
	if e.Tool.Description != "" {
		page.Add(inset(margin{4, 0, 0, 0}, newText(e.Tool.Description, 13, 20, colorMuted)))
	}
	form := w.newForm(e.Tool.InputSchema, nil, nil)
	form.sheet = b.sheet
	if len(form.fields) == 0 && form.broken == "" {
		form.root.Add(newText("It takes no arguments.", 13, 20, colorMuted))
	}
	outcome := vertical(8)
	spin := newSpinner(w.clock)
	said := newLabel("", 13, colorMuted).elided()
	var run *button
	submit := func() {
		args, ok := form.submit()
		if !ok || run.Disabled() {
			return
		}
		run.enable(false)
		spin.turn(true)
		said.set("Running…")
		w.try(e, args, func(r *mcp.CallToolResult, took time.Duration, err error) {
			run.enable(true)
			spin.turn(false)
			b.outcome(outcome, said, r, took, err)
			b.refit()
			if w.station == b {
				b.body.scroll.ScrollToBottom()
			}
		})
	}
	form.OnSubmit = submit
	run = newButton(primary, "play", "Run", submit)
	b.wants = form.first(run)

	schema := newText(view.FormatJSON(e.Tool.InputSchema), 12, 18, colorText)
	schema.style.Monospace = true
	text := view.FormatJSON(e.Tool.InputSchema)
	listing := newListing("Schema", schema, func() { w.copy(text) })
	listing.Hide()
	var more *button
	more = newButton(ghost, "chevron-right", "Schema", func() {
		listing.Hidden = !listing.Hidden
		if listing.Hidden {
			more.setIcon("chevron-right")
		} else {
			more.setIcon("chevron-down")
		}
		b.refit()
	})
	page.Add(inset(margin{20, 0, 0, 0}, form.root))
	page.Add(inset(margin{16, 0, 0, 0}, horizontal(8, said, run, more, spin, said)))
	page.Add(inset(margin{12, 0, 0, 0}, vertical(12, outcome, listing)))
	return page
}

// outcome shows what a try came to.
func (b *serverBook) outcome(list *fyne.Container, said *label, r *mcp.CallToolResult, took time.Duration, err error) {
	list.Objects = nil
	said.set("")
	switch {
	case errors.Is(err, agent.ErrDeclined):
		said.set("You did not allow it.")
		return
	case errors.Is(err, context.Canceled):
		return
	case err != nil:
		words := newText(view.Sentence(err.Error()), 13, 20, colorBad)
		list.Add(container.New(row{gap: 8, flex: words, top: true}, sized(16, 20, newGlyph("alert", 15, colorBad)), words))
	}
	if r != nil {
		all := view.FormatResult(r)
		shown, note := view.Clip(all, cardBytes, cardLines)
		text := newText(shown, 12, 18, colorText)
		text.style.Monospace = true
		list.Add(newListing(fmt.Sprintf("Result · %s", view.Duration(took)), text, func() { b.w.copy(all) }))
		if note != "" {
			list.Add(newText(fmt.Sprintf("%s. Copy takes all of it.", note), 12, 18, colorWarn))
		}
	}
}

// try calls a tool by hand. The rules for calls hold here as well: what is not
// allowed is asked for.
func (w *Window) try(e registry.Entry, args map[string]any, then func(*mcp.CallToolResult, time.Duration, error)) {
	w.begin(func() {
		var result *mcp.CallToolResult
		err := w.permit(w.ctx, e, args)
		began := time.Now()
		if err == nil {
			result, err = w.options.Host.Call(w.ctx, e.Name, args, nil)
		}
		took := time.Since(began)
		w.post(func() { then(result, took, err) })
	})
}

// permit is nil if a call may run. It blocks while a person is asked.
func (w *Window) permit(ctx context.Context, e registry.Entry, args map[string]any) error {
	if w.options.Policy != nil && w.options.Policy.Allows(e) {
		return nil
	}
	call := agent.ToolCalled{ID: "try", Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Args: args, At: time.Now()}
	switch decision, err := w.dialogs.Approve(ctx, call); {
	case err != nil:
		return err
	case decision == agent.Deny:
		return agent.ErrDeclined
	case decision == agent.AllowAlways && w.options.Policy != nil:
		w.options.Policy.Grant(e)
	}
	return nil
}
