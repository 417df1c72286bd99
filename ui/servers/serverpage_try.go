package servers

import (
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/registry"
	"goated/ui/approval"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/trial"
	"goated/ui/view"
)

// toolPage shows one tool, with a form to try it.
func (t *toolsTab) toolPage(e registry.Entry) fyne.CanvasObject {
	ps := t.page.ps
	name := kit.NewLabel(toolTitle(e), 16, kit.ColorText).Strong().Elided()
	head := kit.Horizontal(10, name, name, approval.EffectPill(view.EffectOf(e)))
	page := kit.Vertical(0, t.page.backButton("All tools", func() { t.open(""); t.page.draw(serverTools) }), kit.Inset(kit.Margin{Top: 8}, head))
	if toolTitle(e) != e.Tool.Name {
		page.Add(kit.Inset(kit.Margin{Top: 2}, kit.NewLabel(e.Tool.Name, 12, kit.ColorMuted).Mono().Elided()))
	}
	if e.Tool.Description != "" {
		page.Add(kit.Inset(kit.Margin{Top: 4}, trial.Description(e.Tool.Description, t.page.Refit)))
	}
	t.opened.changed = kit.Vertical(0)
	page.Add(t.opened.changed)
	r := t.opened.trial      // of the page before the tool changed
	var known map[string]any // the values in that form
	if r != nil {
		known = r.Form.Fitting(e.Schema())
	}
	f := form.New(ps.Shell, e.Schema(), known, nil)
	f.Sheet = t.page.Sheet
	if f.Empty() && f.Broken == "" {
		f.Root.Add(kit.NewText("No inputs", 13, 20, kit.ColorMuted))
	}
	if r == nil {
		r = t.newTrial(e, f)
	} else {
		t.focusFirst = f.Same(r.Form, ps.Sheets.Focused(t.page.Sheet))
		f.Follow(r.Form)
		r.Use(f)
	}
	t.opened.trial = r

	page.Add(kit.Inset(kit.Margin{Top: 20}, f.Root))
	t.opened.declared = kit.Vertical(0)
	page.Add(kit.Inset(kit.Margin{Top: 16}, kit.Vertical(12, r.Outcome, t.opened.declared, trial.Schema(e.Tool, t.page.Refit, ps.Copy))))
	return page
}

// newTrial returns the trial that calls the tool of the page.
func (t *toolsTab) newTrial(e registry.Entry, f *form.Form) (r *trial.Trial) {
	page, ps := t.page, t.page.ps
	h := ps.On.Results
	h.Clock, h.Name, h.Copy, h.Open, h.Resized, h.Moved, h.Past = ps.Clock, e.Tool.Name, ps.Copy, ps.OpenLink, page.Refit, page.Refit, page.Body.Scroll.Scrolled
	if read := ps.On.ReadLink; read != nil {
		h.Read = func(link view.Part) { read(e.Server, link) }
	}
	r = trial.New(ps.Shell, trial.Options{Form: f, Title: toolTitle(e), Entry: func() registry.Entry { return t.opened.entry }, Call: ps.Host.CallEntry,
		Results: h, Body: page.Body.Scroll, Refit: page.Refit,
		Open:    func() bool { return ps.Page == page && t.opened.trial == r },
		InSight: func() bool { return page.At == serverTools },
	})
	return r
}

// open opens another tool, or the list if tool is "". The page of the previous tool keeps its
// state until it is opened again. The user may look something up in another tool, and later
// stop the call or see its result.
func (t *toolsTab) open(tool string) {
	if tool == t.tool {
		return
	}
	if t.opened.trial != nil {
		t.left[t.tool] = t.opened
	}
	t.tool, t.opened, t.arrived = tool, t.left[tool], tool != ""
	delete(t.left, tool)
}

// opens reports whether the page of a previously open tool can be shown again.
func (t *toolsTab) opens(tool string) bool {
	s := t.page.server
	return s.Status != client.Connected || slices.ContainsFunc(s.Tools, func(e registry.Entry) bool { return e.Tool != nil && e.Tool.Name == tool })
}

// running reports whether a call from this page is running.
func (t *toolsTab) running() bool {
	for _, o := range t.left {
		if o.trial.Running() {
			return true
		}
	}
	return t.opened.trial != nil && t.opened.trial.Running()
}
