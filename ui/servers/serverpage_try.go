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
)

// toolPage shows one tool, with a form to try it.
func (t *toolsTab) toolPage(e registry.Entry) fyne.CanvasObject {
	ps := t.page.ps
	name := kit.NewLabel(titled(e), 16, kit.ColorText).Strong().Elided()
	page := kit.Vertical(0, t.page.backButton("All tools", func() { t.tool, t.opened = "", openTool{}; t.page.draw(serverTools) }), kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: 0}, name))
	if titled(e) != e.Tool.Name {
		page.Add(kit.Inset(kit.Margin{Top: 2}, kit.NewLabel(e.Tool.Name, 12, kit.ColorMuted).Mono().Elided()))
	}
	if e.Tool.Description != "" {
		page.Add(kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 0, Left: 0}, kit.NewText(e.Tool.Description, 13, 20, kit.ColorMuted)))
	}
	t.opened.changed = kit.Vertical(0)
	page.Add(t.opened.changed)
	f := form.New(ps.Shell, e.Schema(), nil, nil)
	f.Sheet, t.opened.entered = t.page.Sheet, f.Entered
	if f.Empty() && f.Broken == "" {
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
		f.Sent()
		run.SetEnabled(false)
		spin.SetRunning(true)
		status.Set("Running…")
		ps.try(t.opened.entry, args, func(r *mcp.CallToolResult, took time.Duration, err error) {
			run.SetEnabled(true)
			spin.SetRunning(false)
			t.outcome(outcome, status, r, took, err)
			t.showChange() // the user may have decided before the call
			t.page.Refit()
			if ps.Page == t.page {
				t.page.Body.Scroll.ScrollToBottom()
			}
		})
	}
	f.OnSubmit = submit
	run = kit.NewButton(kit.Primary, "play", "Run", submit)
	t.focusFirst = f.First(run)

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
		t.page.Refit()
	})
	page.Add(kit.Inset(kit.Margin{Top: 20, Right: 0, Bottom: 0, Left: 0}, f.Root))
	page.Add(kit.Inset(kit.Margin{Top: 16, Right: 0, Bottom: 0, Left: 0}, kit.Horizontal(8, status, run, more, spin, status)))
	t.opened.declared = kit.Vertical(0)
	page.Add(kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 0, Left: 0}, kit.Vertical(12, outcome, t.opened.declared, listing)))
	return page
}

// outcome shows the result of a try.
func (t *toolsTab) outcome(list *fyne.Container, status *kit.Label, r *mcp.CallToolResult, took time.Duration, err error) {
	list.Objects = nil
	status.Set("")
	switch {
	case errors.Is(err, agent.ErrDeclined):
		status.Set("You did not allow it.")
		return
	case errors.Is(err, context.Canceled):
		return
	case err != nil:
		words := kit.NewText(view.PlainSentence(err), 13, 20, kit.ColorBad)
		list.Add(container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 15, kit.ColorBad)), words))
	}
	if r != nil {
		all := view.FormatResult(r)
		shown, note := view.Clip(all, view.CardBytes, view.CardLines)
		text := kit.NewText(shown, 12, 18, kit.ColorText)
		text.Style.Monospace = true
		list.Add(kit.NewListing(fmt.Sprintf("Result · %s", view.Duration(took)), text, func() { t.page.ps.Copy(all) }))
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
			result, err = ps.Host.CallEntry(ps.Ctx, e, args, nil)
		}
		took := time.Since(began)
		ps.Post(func() { then(result, took, err) })
	})
}

// permit returns nil if a call may run. It blocks until the user answers.
func (ps *Pages) permit(ctx context.Context, e registry.Entry, args map[string]any) error {
	if ps.Policy != nil && ps.Policy.Allows(e, args) {
		return nil
	}
	call := agent.ToolCalled{ID: "try", Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Args: args, At: time.Now()}
	switch answer, err := ps.Approve(ctx, agent.Pending{Call: call, Entry: e}); {
	case err != nil:
		return err
	case answer.Decision == agent.Deny:
		return agent.ErrDeclined
	case answer.Decision == agent.AllowAlways && ps.Policy != nil:
		return ps.Policy.Grant(e)
	}
	return nil
}
