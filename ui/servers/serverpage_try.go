package servers

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/registry"
	"goated/ui/approval"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/result"
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

	page.Add(kit.Inset(kit.Margin{Top: 20}, f.Root))
	t.opened.declared = kit.Vertical(0)
	page.Add(kit.Inset(kit.Margin{Top: 16}, kit.Vertical(12, r.outcome, t.opened.declared, t.schema(e))))
	return page
}

// schema shows the schema of the inputs after a press.
func (t *toolsTab) schema(e registry.Entry) fyne.CanvasObject {
	text := view.FormatJSON(e.Tool.InputSchema)
	words := kit.NewText(text, 12, 18, kit.ColorText)
	words.Style.Monospace = true
	listing := kit.NewListing("Schema", words, func() { t.page.ps.Copy(text) })
	listing.Hide()
	more := kit.NewButton(kit.Ghost, "chevron-right", "Schema", nil).Small()
	both := kit.Vertical(6, kit.Inset(kit.Margin{Left: -9}, kit.Horizontal(0, nil, more)), listing)
	more.OnTapped = func() {
		if listing.Hidden = !listing.Hidden; listing.Hidden {
			more.SetIcon("chevron-right")
			t.page.Refit()
			return
		}
		more.SetIcon("chevron-down")
		t.page.Refit()
		kit.ScrollIntoView(both, both)
	}
	return both
}

// A trial calls the open tool with the values of its form, and shows what the last call returned.
type trial struct {
	t    *toolsTab
	form *form.Form

	foot    *fyne.Container // what stays in sight below the form and a long result
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
	r.run = kit.NewButton(kit.Primary, "play", "Run", r.press).Keyed("Ctrl+Enter")
	r.foot = kit.Horizontal(10, r.status, r.run, r.spin, r.status)
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
		got, err := ps.Host.CallEntry(ps.Ctx, e, args, nil)
		took := time.Since(began)
		var parts []view.Part
		if got != nil {
			parts = view.Card{Content: view.NewResult(got), Result: view.FormatResult(got)}.Parts()
		}
		ps.Post(func() { r.ended(e, parts, took, err) })
	})
}

// ended shows the end of a call.
func (r *trial) ended(e registry.Entry, parts []view.Part, took time.Duration, err error) {
	page := r.t.page
	r.quiet = page.ps.Now()
	r.run.SetEnabled(true)
	r.spin.SetRunning(false)
	r.show(e, parts, took, err)
	page.Refit()
	if page.ps.Page == page && page.At == serverTools {
		r.reveal()
	}
}

// above is how much of the form stays in sight above a long result.
const above = 96

// reveal scrolls until the result is in sight, or the beginning of a long one, with the end of the form
// above it.
func (r *trial) reveal() {
	body := r.t.page.Body.Scroll
	driver := fyne.CurrentApp().Driver()
	top := driver.AbsolutePositionForObject(r.outcome).Y - driver.AbsolutePositionForObject(body).Y
	by := min(top+r.outcome.Size().Height+12-body.Size().Height, top-above)
	if by > 0 || top < 0 {
		body.ScrollToOffset(fyne.NewPos(0, max(body.Offset.Y+by, 0)))
	}
}

// show shows what a call returned, as the card of a conversation does.
func (r *trial) show(e registry.Entry, parts []view.Part, took time.Duration, err error) {
	r.outcome.Objects = nil
	switch {
	case errors.Is(err, context.Canceled):
		r.status.Set("")
		return
	case err != nil:
		r.status.Set("Failed after " + view.Duration(took))
		words := kit.NewText(view.PlainSentence(err), 13, 20, kit.ColorBad)
		r.outcome.Add(container.New(kit.Row{Gap: 8, Flex: words, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 15, kit.ColorBad)), words))
	default:
		r.status.Set("Returned after " + view.Duration(took))
		if len(parts) == 0 {
			r.outcome.Add(kit.NewText("The tool returned nothing.", 13, 20, kit.ColorMuted))
		}
	}
	host := r.host(e)
	for _, p := range parts {
		o, _ := result.Draw(p, host)
		r.outcome.Add(o)
	}
}

// host returns what the parts of a result need of the page.
func (r *trial) host(e registry.Entry) result.Host {
	page := r.t.page
	h := page.ps.On.Results
	h.Clock, h.Name, h.Copy, h.Open, h.Resized, h.Moved = page.ps.Clock, e.Tool.Name, page.ps.Copy, page.ps.OpenLink, page.Refit, page.Refit
	h.Past = page.Body.Scroll.Scrolled
	if read := page.ps.On.ReadLink; read != nil {
		h.Read = func(link view.Part) { read(e.Server, link) }
	}
	return h
}
