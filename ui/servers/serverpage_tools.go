package servers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/form"
	"goated/ui/highlight"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
)

// toolRows is the maximum number of listed tools; the filter finds the others.
const toolRows = 60

// toolsPage shows the list of tools, or the open tool.
func (t *toolsTab) toolsPage() fyne.CanvasObject {
	for _, e := range t.page.server.Tools {
		if e.Tool != nil && e.Tool.Name == t.tool {
			same := t.opened.page != nil && reflect.DeepEqual(t.opened.entry.Tool, e.Tool)
			if t.opened.entry = e; !same {
				t.opened.page = t.toolPage(e)
			}
			t.showChange()
			t.opened.declared.Objects = []fyne.CanvasObject{t.declaration(e)}
			return t.opened.page
		}
	}
	if s := t.page.server; t.opened.page != nil && s.Status != client.Connected { // its tools may come back
		if s.Status == client.Failed && s.Err != nil {
			return kit.Vertical(20, t.page.process.newCard().card(s, s.Err), t.opened.page)
		}
		return t.opened.page
	}
	t.tool, t.opened = "", openTool{}
	page := kit.Vertical(10)
	if s := t.page.server; s.Status == client.Connected && len(s.Tools)+len(s.Off)+len(s.Uncallable) == 0 {
		page.Add(kit.NewEmptyNote("tool", wording.NoTools(s)))
	} else if s.Status == client.Failed && s.Err != nil {
		page.Add(t.page.process.newCard().card(s, s.Err))
	} else if len(s.Tools) == 0 {
		page.Add(kit.NewEmptyNote("tool", "None of this server's tools can be called now."))
	}
	list := kit.Vertical(6)
	if len(t.page.server.Tools) > 8 {
		in := kit.NewInput(t.page.ps.Clock, "Find a tool", false)
		in.Put(t.filter)
		in.OnTyped = func() {
			t.filter = in.Text
			t.listTools(list)
			t.page.Refit()
		}
		page.Add(kit.NewField(in))
	}
	t.listTools(list)
	page.Add(list)
	for _, reason := range view.UncallableReasons(t.page.server) {
		page.Add(kit.NewText(reason, 12, 18, kit.ColorWarn))
	}
	return page
}

func (t *toolsTab) listTools(list *fyne.Container) {
	list.Objects = nil
	tools := t.page.server.Tools
	found := view.Rank(t.filter, len(tools), func(i int) (string, string) {
		if tools[i].Tool == nil {
			return "", ""
		}
		return titled(tools[i]), tools[i].Tool.Name + " " + tools[i].Tool.Description
	})
	for _, m := range found[:min(len(found), toolRows)] {
		e := tools[m.Index]
		if e.Tool == nil {
			continue
		}
		about := e.Tool.Description
		if title := titled(e); title != e.Tool.Name && about != "" {
			about = e.Tool.Name + " · " + about
		}
		if about == "" {
			about = "The server gives no description."
		}
		words := kit.NewLabel(format.Cut(about, 160), 12, kit.ColorMuted)
		if t.suspended(e) != nil {
			words = kit.NewLabel(view.ChangedTool, 12, kit.ColorWarn)
		}
		list.Add(t.page.row(titled(e), m.At, words, "Try", func() {
			t.tool = e.Tool.Name
			t.page.draw(serverTools)
		}))
	}
	if n := len(found) - toolRows; n > 0 {
		list.Add(kit.NewLabel(fmt.Sprintf("%d more. Type to filter.", n), 12, kit.ColorFaint))
	}
}

// titled returns the name of a tool for users.
func titled(e registry.Entry) string {
	return view.ToolTitle(e.Tool)
}

// row makes a row of a list: a name, a description, and the word of its
// action. at marks the matched letters of the name.
func (p *serverPage) row(name string, at []int, about *kit.Label, word string, tapped func()) fyne.CanvasObject {
	tap := kit.NewTappable(10, tapped)
	tap.SetColors(kit.ColorSurface, kit.ColorBorder)
	title := highlight.New(14)
	title.Set(name, at)
	words := kit.Vertical(2, title, about.Elided())
	mark := kit.Horizontal(4, nil, kit.NewLabel(word, 12, kit.ColorMuted).Medium(), kit.NewIcon("chevron-right", 14, kit.ColorMuted))
	return container.New(kit.Margin{}, tap, kit.Inset(kit.Margin{Top: 9, Right: 12, Bottom: 10, Left: 14}, kit.Horizontal(12, words, words, mark)))
}

// backButton makes a button that returns to the list.
func (p *serverPage) backButton(text string, to func()) fyne.CanvasObject {
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	arrow := kit.NewButton(kit.Ghost, "back", text, to).Small()
	return kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, gap, arrow, gap))
}

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
