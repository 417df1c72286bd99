package servers

import (
	"fyne.io/fyne/v2"

	"goated/ui/form"
	"goated/ui/kit"
)

// unsaved returns the page where the user entered something that closing would lose, and what warns of that; -1 and nil
// if there is none.
func (p *serverPage) unsaved() (int, *form.Leaving) {
	switch r := p.tools.opened.trial; {
	case r != nil && r.Form.Entered():
		return serverTools, r.Form.Leaving
	case p.offers.openPrompt != nil && p.offers.leaving.Entered():
		return serverPrompts, p.offers.leaving
	case p.Permissions.leaving.Entered():
		return ServerPermissions, p.Permissions.leaving
	}
	return -1, nil
}

// escape stops the call that runs on the open page, or warns that closing loses what the user entered, on the page
// where that is. It reports whether the sheet stays open.
func (p *serverPage) escape() bool {
	if r := p.tools.opened.trial; r != nil && p.At == serverTools && r.Stop() {
		return true
	}
	for page, l := p.unsaved(); l != nil; page, l = p.unsaved() {
		elsewhere := page != p.At
		if elsewhere {
			p.Select(page)
		}
		if left := l.Leave(); elsewhere || !left { // the user has to see the warning
			kit.ScrollIntoView(l.Warning, l.Warning)
			return true
		}
		l.Sent() // the user gives it up
	}
	return false
}

func newPermissionsTab(p *serverPage) permissionsTab {
	return permissionsTab{page: p, leaving: form.NewLeaving(p.ps.Shell, func() {
		if p.At == ServerPermissions {
			p.SetFoot(p.Permissions.warning())
		}
	})}
}

// warning returns the warning that Esc loses the texts of the fields; nil if there is none.
func (t *permissionsTab) warning() fyne.CanvasObject {
	if t.leaving.Warned() {
		return t.leaving.Warning
	}
	return nil
}

// put sets the text of a field.
func (t *permissionsTab) put(field *string, text string) {
	*field = text
	if t.leaving.Edited(); t.folder == "" && t.host == "" {
		t.leaving.Sent()
	}
}
