package servers

import (
	"maps"
	"slices"

	"fyne.io/fyne/v2"

	"goated/ui/form"
	"goated/ui/kit"
)

// unsaved is text that the user entered on the page and that closing would lose.
type unsaved struct {
	*form.Leaving
	show func() (moved bool) // opens the place of the text, and reports whether another place was open
}

// unsaved returns the first text that closing would lose, and reports whether there is any.
func (p *serverPage) unsaved() (unsaved, bool) {
	at := func(tab int) bool {
		moved := p.At != tab
		if moved {
			p.Select(tab)
		}
		return moved
	}
	if r := p.tools.opened.trial; r != nil && r.Form.Entered() {
		return unsaved{r.Form.Leaving, func() bool { return at(serverTools) }}, true
	}
	for _, name := range slices.Sorted(maps.Keys(p.tools.left)) {
		if l := p.tools.left[name].trial.Form.Leaving; l.Entered() && p.tools.opens(name) {
			return unsaved{l, func() bool { p.tools.open(name); p.Select(serverTools); return true }}, true
		}
	}
	if o := p.offers.opened; o.page != nil && o.leaving.Entered() {
		return unsaved{o.leaving, func() bool { return at(serverPrompts) }}, true
	}
	for _, name := range slices.Sorted(maps.Keys(p.offers.left)) {
		if o := p.offers.left[name]; o.leaving.Entered() {
			return unsaved{o.leaving, func() bool { p.offers.open(o); p.Select(serverPrompts); return true }}, true
		}
	}
	l := p.Permissions.leaving
	return unsaved{l, func() bool { return at(ServerPermissions) }}, l.Entered()
}

// escape stops the running call of the open page. If none is running, it shows the text that
// closing would lose, with a warning. It reports whether the sheet stays open.
func (p *serverPage) escape() bool {
	if r := p.tools.opened.trial; r != nil && p.At == serverTools && r.Stop() {
		return true
	}
	for u, ok := p.unsaved(); ok; u, ok = p.unsaved() {
		moved := u.show()
		if left := u.Leave(); moved || !left { // the user has to see the warning first
			kit.ScrollIntoView(u.Warning, u.Warning)
			return true
		}
		u.Sent() // the user discards the text
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

// warning returns the warning that Esc loses the text in the fields, or nil if there is none.
func (t *permissionsTab) warning() fyne.CanvasObject {
	if t.leaving.Warned() {
		return t.leaving.Warning
	}
	return nil
}

// setField sets the text of a field.
func (t *permissionsTab) setField(field *string, text string) {
	*field = text
	if t.leaving.Edited(); t.folder == "" && t.host == "" {
		t.leaving.Sent()
	}
}
