package servers

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/registry"
	"goated/ui/approval"
	"goated/ui/form"
	"goated/ui/kit"
	"goated/ui/trial"
	"goated/ui/view"
	"goated/ui/view/format"
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
		page.Add(kit.Inset(kit.Margin{Top: 4}, t.described(e.Tool.Description)))
	}
	t.opened.changed = kit.Vertical(0)
	page.Add(t.opened.changed)
	var known map[string]any // that the page before a change of the tool has
	if t.opened.trial != nil {
		known = t.opened.trial.Form.Fitting(e.Schema())
	}
	f := form.New(ps.Shell, e.Schema(), known, nil)
	f.Sheet = t.page.Sheet
	if t.opened.trial != nil {
		f.Follow(t.opened.trial.Form)
	}
	if f.Empty() && f.Broken == "" {
		f.Root.Add(kit.NewText("No inputs", 13, 20, kit.ColorMuted))
	}
	r := t.newTrial(e, f)
	t.opened.trial, t.focusFirst = r, f.Top(r.Run)

	page.Add(kit.Inset(kit.Margin{Top: 20}, f.Root))
	t.opened.declared = kit.Vertical(0)
	page.Add(kit.Inset(kit.Margin{Top: 16}, kit.Vertical(12, r.Outcome, t.opened.declared, t.schema(e))))
	return page
}

// maxDescription is how much of a description is above the form, in characters.
const maxDescription = 400

// described shows what a server says about the tool. A long text is cut until the user wants all of it, so that
// the form is in sight.
func (t *toolsTab) described(text string) fyne.CanvasObject {
	text = safetext.Mark(strings.TrimSpace(text))
	words := kit.NewText(text, 13, 20, kit.ColorMuted)
	short := format.Cut(strings.Join(strings.Fields(text), " "), maxDescription)
	if utf8.RuneCountInString(text) <= maxDescription && strings.Count(text, "\n") < 8 {
		return words
	}
	words.SetText(short)
	all := kit.NewButton(kit.Ghost, "chevron-right", "Show all", nil).Small()
	shown := false
	all.OnTapped = func() {
		if shown = !shown; shown {
			words.SetText(text)
			all.SetIcon("chevron-down")
			all.SetText("Show less")
		} else {
			words.SetText(short)
			all.SetIcon("chevron-right")
			all.SetText("Show all")
		}
		t.page.Refit()
	}
	return kit.Vertical(2, words, kit.Inset(kit.Margin{Left: -9}, kit.Horizontal(0, nil, all)))
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

// newTrial returns what calls the tool of the page.
func (t *toolsTab) newTrial(e registry.Entry, f *form.Form) (r *trial.Trial) {
	page, ps := t.page, t.page.ps
	h := ps.On.Results
	h.Clock, h.Name, h.Copy, h.Open, h.Resized, h.Moved, h.Past = ps.Clock, e.Tool.Name, ps.Copy, ps.OpenLink, page.Refit, page.Refit, page.Body.Scroll.Scrolled
	if read := ps.On.ReadLink; read != nil {
		h.Read = func(link view.Part) { read(e.Server, link) }
	}
	r = trial.New(ps.Shell, trial.Options{Form: f, Title: titled(e), Entry: func() registry.Entry { return t.opened.entry }, Call: ps.Host.CallEntry,
		Results: h, Body: page.Body.Scroll, Refit: page.Refit,
		Open:    func() bool { return ps.Page == page && t.opened.trial == r },
		InSight: func() bool { return page.At == serverTools },
	})
	return r
}
