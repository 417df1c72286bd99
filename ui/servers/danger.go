package servers

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// Warning returns a warning for a permission that exposes far more than a file. It returns ""
// for any other permission.
func (ps *Pages) Warning(p sandbox.Permission) string {
	return view.Danger(p, ps.Private, ps.Guards)
}

// newWarning draws a warning.
func newWarning(text string) fyne.CanvasObject {
	words := kit.NewText(text, 14, 21, kit.ColorText)
	words.Style.Bold = true
	return kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 12, Right: 16, Bottom: 13, Left: 14},
		container.New(kit.Row{Gap: 12, Flex: words, Top: true}, kit.Sized(20, 22, kit.NewIcon("alert", 20, kit.ColorBad)), words))
}

// withWarning adds the warning for a permission, if there is one, below its row.
func (ps *Pages) withWarning(p sandbox.Permission, line fyne.CanvasObject) fyne.CanvasObject {
	danger := ps.Warning(p)
	if danger == "" {
		return line
	}
	return kit.Vertical(2, line, kit.Inset(kit.Margin{Top: 0, Right: 10, Bottom: 4, Left: 26}, kit.NewText(danger, 12, 18, kit.ColorBad)))
}

// allowChosen allows a permission that the user chose on a page or a card. It asks
// again before it allows a dangerous one.
func (ps *Pages) allowChosen(s client.Server, p sandbox.Permission) {
	ps.Go(func() {
		p := p.Resolved() // reads the file system
		ps.Post(func() {
			if ps.Warning(p) == "" {
				ps.allow(s.ID, p)
				return
			}
			ps.confirmDangerous(s, p)
		})
	})
}

// confirmDangerous asks before it allows a dangerous permission.
func (ps *Pages) confirmDangerous(s client.Server, p sandbox.Permission) {
	var sh *kit.Sheet
	opened, was := ps.Now(), ps.Sheets.Window.Canvas().Focused()
	sh = newPermissionPrompt(PermissionRequest{Name: s.Name, Command: programOf(s), What: p, guards: ps.Guards, chosen: true}, ps.Warning(p), ps.NewCounter(), func(answer any) {
		got, _ := answer.(permissionAnswer)
		if got.Allow && ps.Now().Sub(opened) < shell.GuardTime {
			return // the user may have pressed Enter for something else before the sheet opened
		}
		if ps.Sheets.Shut(sh); was != nil {
			kit.Focus(was)
		}
		if got.Allow {
			ps.allow(s.ID, p)
		}
	})
	ps.Sheets.Open(sh)
}
