package servers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
	"goated/ui/approval"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// toolPage shows one tool, with a form to try it.
func (t *toolsTab) toolPage(e registry.Entry) fyne.CanvasObject {
	ps := t.page.ps
	name := kit.NewLabel(titled(e), 16, kit.ColorText).Strong().Elided()
	head := kit.Horizontal(10, name, name, approval.EffectPill(view.EffectOf(e)))
	page := kit.Vertical(0, t.page.backButton("All tools", func() { t.tool, t.opened = "", openTool{}; t.page.draw(serverTools) }), kit.Inset(kit.Margin{Top: 8}, head))
	if titled(e) != e.Tool.Name {
		page.Add(kit.Inset(kit.Margin{Top: 2}, kit.NewLabel(e.Tool.Name, 12, kit.ColorMuted).Mono().Elided()))
	}
	if e.Tool.Description != "" {
		page.Add(kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 0, Left: 0}, kit.NewText(e.Tool.Description, 13, 20, kit.ColorMuted)))
	}
	t.opened.changed = kit.Vertical(0)
	page.Add(t.opened.changed)
	var known map[string]any // that the page before a change of the tool has
	if t.opened.trial != nil {
		known = t.opened.trial.form.Fitting(e.Schema())
	}
	f := form.New(ps.Shell, e.Schema(), known, nil)
	f.Sheet = t.page.Sheet
	if f.Empty() && f.Broken == "" {
		f.Root.Add(kit.NewText("No inputs", 13, 20, kit.ColorMuted))
	}
	r := newTrial(t, f)
	t.opened.trial, t.focusFirst = r, f.First(r.run)

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
	page.Add(kit.Inset(kit.Margin{Top: 16}, kit.Horizontal(8, r.status, r.run, more, r.spin, r.status)))
	t.opened.declared = kit.Vertical(0)
	page.Add(kit.Inset(kit.Margin{Top: 12, Right: 0, Bottom: 0, Left: 0}, kit.Vertical(12, r.outcome, t.opened.declared, listing)))
	return page
}

// A trial calls the open tool with the values of its form, and shows what the last call returned.
type trial struct {
	t    *toolsTab
	form *form.Form

	run     *kit.Button
	spin    *kit.Spinner
	status  *kit.Label
	outcome *fyne.Container
	quiet   time.Time // presses count a moment after it
}

// newTrial returns a trial that has called nothing.
func newTrial(t *toolsTab, f *form.Form) *trial {
	ps := t.page.ps
	r := &trial{t: t, form: f, spin: kit.NewSpinner(ps.Clock), status: kit.NewLabel("", 13, kit.ColorMuted).Elided(), outcome: kit.Vertical(8), quiet: ps.Now()}
	r.run = kit.NewButton(kit.Primary, "play", "Run", r.press)
	f.OnSubmit = r.press
	return r
}

// press calls the tool. It asks nothing: the user has the effect and the arguments in sight, and the
// press is the answer for this one call; see docs/adr/0016. The host refuses the call if the tool is
// not the one on the page any more. The second press of a double click and those of a key that is held
// down do nothing.
func (r *trial) press() {
	ps := r.t.page.ps
	last := r.quiet
	if r.quiet = ps.Now(); r.run.Disabled() || r.quiet.Sub(last) < shell.GuardTime {
		return
	}
	args, ok := r.form.Submit()
	if !ok {
		return
	}
	r.form.Sent()
	r.run.SetEnabled(false)
	r.spin.SetRunning(true)
	r.status.Set("Running…")
	e := r.t.opened.entry
	ps.Go(func() {
		began := time.Now()
		result, err := ps.Host.CallEntry(ps.Ctx, e, args, nil)
		took := time.Since(began)
		ps.Post(func() { r.ended(result, took, err) })
	})
}

// ended shows the end of a call.
func (r *trial) ended(result *mcp.CallToolResult, took time.Duration, err error) {
	page := r.t.page
	r.quiet = page.ps.Now()
	r.run.SetEnabled(true)
	r.spin.SetRunning(false)
	r.show(result, took, err)
	page.Refit()
	if page.ps.Page == page {
		page.Body.Scroll.ScrollToBottom()
	}
}

// show shows the result of a call.
func (r *trial) show(result *mcp.CallToolResult, took time.Duration, err error) {
	list := r.outcome
	list.Objects = nil
	r.status.Set("")
	switch {
	case errors.Is(err, context.Canceled):
		return
	case err != nil:
		words := kit.NewText(view.PlainSentence(err), 13, 20, kit.ColorBad)
		list.Add(container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 15, kit.ColorBad)), words))
	}
	if result != nil {
		all := view.FormatResult(result)
		shown, note := view.Clip(all, view.CardBytes, view.CardLines)
		text := kit.NewText(shown, 12, 18, kit.ColorText)
		text.Style.Monospace = true
		list.Add(kit.NewListing(fmt.Sprintf("Result · %s", view.Duration(took)), text, func() { r.t.page.ps.Copy(all) }))
		if note != "" {
			list.Add(kit.NewText(fmt.Sprintf("%s. Copy copies all of it.", note), 12, 18, kit.ColorWarn))
		}
	}
}
