package servers

import (
	"errors"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/internal/config"
	"goated/internal/errtext"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/view"
)

// hostAdder makes the field that allows a host.
func (t *permissionsTab) hostAdder() fyne.CanvasObject {
	l := t.newPermissionField("A host, such as api.example.org", &t.host)
	l.in.OnSubmit = func() {
		host, err := view.HostOf(l.in.Text)
		if err != nil {
			l.complain(err)
			kit.Focus(l.in)
			return
		}
		t.setField(&t.host, "")
		t.page.ps.allowChosen(t.page.server, sandbox.Permission{Kind: sandbox.ToHost, Host: host})
	}
	allow := kit.NewButton(kit.Outline, "chain", "Allow the host", func() { l.in.OnSubmit() })
	return kit.Vertical(8, kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: 0}, kit.NewLabel("Add a host", 13, kit.ColorText).Strong()),
		kit.NewText("Without a port, 443 and 80 are allowed. *.example.org allows all its subdomains. Allow hosts in your own network by address, too.", 12, 18, kit.ColorMuted),
		container.New(kit.Row{Gap: 8, Flex: l.field}, l.field, allow), l.wrong)
}

// adder makes the field that allows a folder or a file.
func (t *permissionsTab) adder() fyne.CanvasObject {
	ps := t.page.ps
	l := t.newPermissionField("Folder or file to allow", &t.folder)
	add := func(kind sandbox.Kind) {
		home, _ := os.UserHomeDir()
		path := config.ScriptPath(l.in.Text, home)
		ps.Go(func() {
			err := CheckAllowedPath(path)
			ps.Post(func() {
				if err != nil {
					l.complain(err)
					kit.Focus(l.in)
					return
				}
				t.setField(&t.folder, "")
				ps.allowChosen(t.page.server, sandbox.Permission{Kind: kind, Path: filepath.Clean(path)})
			})
		})
	}
	l.in.OnSubmit = func() { add(sandbox.ToRead) }
	browse := kit.NewButton(kit.Outline, "folder", "Browse…", func() { ps.ChooseFolder(func(path string) { l.in.Put(path); t.setField(&t.folder, path) }) })
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	return kit.Vertical(8, kit.Inset(kit.Margin{Top: 8, Right: 0, Bottom: 0, Left: 0}, kit.NewLabel("Add a folder", 13, kit.ColorText).Strong()),
		container.New(kit.Row{Gap: 8, Flex: l.field}, l.field, browse), l.wrong,
		kit.Horizontal(8, gap, kit.NewButton(kit.Outline, "eye", "Allow reading", func() { add(sandbox.ToRead) }),
			kit.NewButton(kit.Outline, "pencil", "Allow reading and writing", func() { add(sandbox.ToWrite) }), gap))
}

// A permissionField is the field for a permission, together with its error message.
type permissionField struct {
	in       *kit.Input
	field    *fyne.Container
	wrong    fyne.CanvasObject
	complain func(error) // nil hides the message
}

// newPermissionField makes such a field. It stores its text in kept, which survives a redraw of
// the page.
func (t *permissionsTab) newPermissionField(hint string, kept *string) permissionField {
	in := kit.NewInput(t.page.ps.Clock, hint, false)
	in.Put(*kept)
	wrong := kit.NewText("", 13, 20, kit.ColorBad)
	wrong.Hide()
	complain := func(err error) {
		wrong.Hidden = err == nil
		if err != nil {
			wrong.SetText(errtext.PlainSentence(err))
		}
		t.page.Refit()
	}
	in.OnTyped = func() { t.setField(kept, in.Text); complain(nil) }
	in.OnRefuse = func(text string) { complain(errors.New(text)) }
	return permissionField{in: in, field: kit.NewField(in), wrong: wrong, complain: complain}
}
