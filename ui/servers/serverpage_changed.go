package servers

import (
	"fyne.io/fyne/v2"

	"goated/internal/consent"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/approval"
	"goated/ui/kit"
	"goated/ui/view"
)

// suspended returns how a tool changed since the user always allowed it, or nil if it did not
// change.
func (t *toolsTab) suspended(e registry.Entry) *consent.Difference {
	if p := t.page.ps.Policy; p == nil || p.Grants == nil {
		return nil
	}
	return t.page.ps.Policy.Grants.DifferenceFor(e)
}

// showChange shows how the open tool changed since the user always allowed it, if it did, and buttons to
// decide about the change.
func (t *toolsTab) showChange() {
	t.opened.changed.Objects = nil
	d := t.suspended(t.opened.entry)
	if d == nil {
		return
	}
	e, policy := t.opened.entry, t.page.ps.Policy
	keep := kit.NewButton(kit.Outline, "check", "Keep allowing", func() { t.decide(func() error { return wording.UnsavedPermission(policy.Grant(e)) }) }).Small()
	revoke := kit.NewButton(kit.Outline, "", "Revoke “Always”", func() {
		t.decide(func() error { _, err := policy.Grants.Revoke(d.Was.ID()); return err })
	}).Small()
	column := kit.Vertical(8, kit.NewLabel(view.ChangedTool, 13, kit.ColorWarn).Strong(), approval.DrawDifference(d, true), kit.Horizontal(8, nil, keep, revoke))
	t.opened.changed.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 12},
		kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorWarn, 10), kit.Margin{Top: 11, Right: 14, Bottom: 12, Left: 14}, column))}
}

// decide changes the grants, which may wait for the disk, and then shows the decision.
func (t *toolsTab) decide(change func() error) {
	ps := t.page.ps
	ps.Go(func() {
		err := change()
		ps.Post(func() {
			if err != nil {
				ps.Alert(err)
			}
			t.showChange()
			t.page.Refit()
			if ps.On.Granted != nil {
				ps.On.Granted()
			}
		})
	})
}
