package servers

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
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// toolRows is the maximum number of listed tools; the filter finds the others.
const toolRows = 60

// toolsPage shows the list of tools, or the open tool.
func (b *serverPage) toolsPage() fyne.CanvasObject {
	for _, e := range b.server.Tools {
		if e.Tool != nil && e.Tool.Name == b.tool {
			return b.toolPage(e)
		}
	}
	b.tool = ""
	page := kit.Vertical(10)
	if len(b.server.Tools) == 0 {
		page.Add(kit.NewEmptyNote("tool", "None of this server's tools can be called now."))
	}
	list := kit.Vertical(6)
	if len(b.server.Tools) > 8 {
		in := kit.NewInput(b.ps.Clock, "Find a tool", false)
		in.Put(b.filter)
		in.OnTyped = func() {
			b.filter = in.Text
			b.listTools(list)
			b.Refit()
		}
		page.Add(kit.NewField(in))
	}
	b.listTools(list)
	page.Add(list)
	for _, reason := range view.ParkedReasons(b.server) {
		page.Add(kit.NewText(reason, 12, 18, kit.ColorWarn))
	}
	return page
}

func (b *serverPage) listTools(list *fyne.Container) {
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
			about = "The server gives no description."
		}
		list.Add(b.row(e.Tool.Name, m.At, format.Cut(about, 160), "Try", func() {
			b.tool = e.Tool.Name
			b.draw(serverTools)
		}))
	}
	if n := len(found) - toolRows; n > 0 {
		list.Add(kit.NewLabel(format.Plural(n, "and %d more: type letters of the name", "and %d more: type letters of the name"), 12, kit.ColorFaint))
	}
}

// row makes a row of a list: a name, a description, and the word of its
// action. at marks the matched letters of the name.
func (b *serverPage) row(name string, at []int, about, word string, tapped func()) fyne.CanvasObject {
	tap := kit.NewTappable(10, tapped)
	tap.Rest(kit.ColorSurface, kit.ColorBorder)
	title := kit.NewHighlight(14)
	title.Set(name, at)
	words := kit.Vertical(2, title, kit.NewLabel(about, 12, kit.ColorMuted).Elided())
	mark := kit.Horizontal(4, nil, kit.NewLabel(word, 12, kit.ColorMuted).Medium(), kit.NewIcon("chevron-right", 14, kit.ColorMuted))
	return container.New(kit.Margin{}, tap, kit.Inset(kit.Margin{Top: 9, Right: 12, Bottom: 10, Left: 14}, kit.Horizontal(12, words, words, mark)))
}

// backButton makes a button that returns to the list.
func (b *serverPage) backButton(text string, to func()) fyne.CanvasObject {
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	arrow := kit.NewButton(kit.Ghost, "back", text, to).Small()
	return kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, gap, arrow, gap))
}

// toolPage shows one tool, with a form to try it.
func (b *serverPage) toolPage(e registry.Entry) fyne.CanvasObject {
	ps := b.ps
	name := kit.NewLabel(e.Tool.Name, 16, kit.ColorText).Strong().Elided()
	page := kit.Vertical(0, b.backButton("All tools", func() { b.tool = ""; b.draw(serverTools) }), kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: 0}, name))
	if e.Tool.Description != "" {
		page.Add(kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 0, Left: 0}, kit.NewText(e.Tool.Description, 13, 20, kit.ColorMuted)))
	}
	f := form.New(ps.Shell, e.Tool.InputSchema, nil, nil)
	f.Sheet = b.Sheet
	if len(f.Fields) == 0 && f.Broken == "" {
		f.Root.Add(kit.NewText("No inputs", 13, 20, kit.ColorMuted))
	}
	outcome := kit.Vertical(8)
	spin := kit.NewSpinner(ps.Clock)
	status := kit.NewLabel("", 13, kit.ColorMuted).Elided()
	var run *kit.Button
	submit := func() {
		args, ok := f.Submit()
		if !ok || run.Disabled() {
			return
		}
		run.SetEnabled(false)
		spin.Turn(true)
		status.Set("Running…")
		ps.try(e, args, func(r *mcp.CallToolResult, took time.Duration, err error) {
			run.SetEnabled(true)
			spin.Turn(false)
			b.outcome(outcome, status, r, took, err)
			b.Refit()
			if ps.Page == b {
				b.Body.Scroll.ScrollToBottom()
			}
		})
	}
	f.OnSubmit = submit
	run = kit.NewButton(kit.Primary, "play", "Run", submit)
	b.focusFirst = f.First(run)

	schema := kit.NewText(view.FormatJSON(e.Tool.InputSchema), 12, 18, kit.ColorText)
	schema.Style.Monospace = true
	text := view.FormatJSON(e.Tool.InputSchema)
	listing := kit.NewListing("Schema", schema, func() { ps.Copy(text) })
	listing.Hide()
	var more *kit.Button
	more = kit.NewButton(kit.Ghost, "chevron-right", "Schema", func() {
		listing.Hidden = !listing.Hidden
		if listing.Hidden {
			more.SetIcon("chevron-right")
		} else {
			more.SetIcon("chevron-down")
		}
		b.Refit()
	})
	page.Add(kit.Inset(kit.Margin{Top: 20, Right: 0, Bottom: 0, Left: 0}, f.Root))
	page.Add(kit.Inset(kit.Margin{Top: 16, Right: 0, Bottom: 0, Left: 0}, kit.Horizontal(8, status, run, more, spin, status)))
	page.Add(kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 0, Left: 0}, kit.Vertical(12, outcome, listing)))
	return page
}

// outcome shows the result of a try.
func (b *serverPage) outcome(list *fyne.Container, status *kit.Label, r *mcp.CallToolResult, took time.Duration, err error) {
	list.Objects = nil
	status.Set("")
	switch {
	case errors.Is(err, agent.ErrDeclined):
		status.Set("You did not allow it.")
		return
	case errors.Is(err, context.Canceled):
		return
	case err != nil:
		words := kit.NewText(view.Sentence(err.Error()), 13, 20, kit.ColorBad)
		list.Add(container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 15, kit.ColorBad)), words))
	}
	if r != nil {
		all := view.FormatResult(r)
		shown, note := view.Clip(all, view.CardBytes, view.CardLines)
		text := kit.NewText(shown, 12, 18, kit.ColorText)
		text.Style.Monospace = true
		list.Add(kit.NewListing(fmt.Sprintf("Result · %s", view.Duration(took)), text, func() { b.ps.Copy(all) }))
		if note != "" {
			list.Add(kit.NewText(fmt.Sprintf("%s. Copy copies all of it.", note), 12, 18, kit.ColorWarn))
		}
	}
}

// try calls a tool for the user. The policy applies here too: a tool that it
// does not allow needs an approval.
func (ps *Pages) try(e registry.Entry, args map[string]any, then func(*mcp.CallToolResult, time.Duration, error)) {
	ps.Go(func() {
		var result *mcp.CallToolResult
		err := ps.permit(ps.Ctx, e, args)
		began := time.Now()
		if err == nil {
			result, err = ps.Host.Call(ps.Ctx, e.Name, args, nil)
		}
		took := time.Since(began)
		ps.Post(func() { then(result, took, err) })
	})
}

// permit returns nil if a call may run. It blocks until the user answers.
func (ps *Pages) permit(ctx context.Context, e registry.Entry, args map[string]any) error {
	if ps.Policy != nil && ps.Policy.Allows(e) {
		return nil
	}
	call := agent.ToolCalled{ID: "try", Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Args: args, At: time.Now()}
	switch decision, err := ps.Approve(ctx, call); {
	case err != nil:
		return err
	case decision == agent.Deny:
		return agent.ErrDeclined
	case decision == agent.AllowAlways && ps.Policy != nil:
		ps.Policy.Grant(e)
	}
	return nil
}
