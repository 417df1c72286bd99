package servers

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/kit"
)

// declaration shows what a tool costs in every turn. It also shows how the version for the
// model differs from the server's, or why the model receives nothing.
func (t *toolsTab) declaration(e registry.Entry) fyne.CanvasObject {
	d := agent.Declare(e)
	notes := wording.DeclarationNotes(d)
	if d.Err != nil {
		return kit.NewText(notes[0], 12, 18, kit.ColorWarn)
	}
	list := kit.Vertical(2)
	for _, r := range t.page.ps.Refused.Of(e) {
		list.Add(kit.NewText(wording.ToolRefusedText(r.Model, r.Reason, r.At, r.Until()), 12, 18, kit.ColorWarn))
	}
	if len(list.Objects) > 0 {
		again := kit.NewButton(kit.Outline, "", "Let models get it again", func() { t.removeQuarantine(e) }).Small()
		list.Add(kit.Inset(kit.Margin{Top: 4, Bottom: 6}, kit.Horizontal(0, nil, again)))
	}
	list.Add(kit.NewText(fmt.Sprintf("About %d tokens in every turn.", d.Tokens), 12, 18, kit.ColorMuted))
	for _, note := range notes {
		list.Add(kit.NewText(note, 12, 18, kit.ColorMuted))
	}
	return list
}

// removeQuarantine removes a tool from the quarantine.
func (t *toolsTab) removeQuarantine(e registry.Entry) {
	ps := t.page.ps
	ps.Go(func() {
		_, err := ps.Refused.Release(e)
		ps.Post(func() {
			if err != nil {
				ps.Alert(err)
				return
			}
			ps.Toasts.Say("check", "Conversations get "+toolTitle(e)+" again from their next message on")
			if ps.Page == t.page && t.tool == e.Tool.Name {
				t.page.draw(serverTools)
			}
		})
	})
}
