package servers

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
	"goated/ui/confinement"
	"goated/ui/kit"
	"goated/ui/view"
)

// permissionsPage shows the server's permissions and lets the user change them.
func (t *permissionsTab) permissionsPage() fyne.CanvasObject {
	ps, s := t.page.ps, t.page.server
	l, c, known := ps.launchOf(s.ID)
	if !known {
		page := kit.Vertical(26, kit.Section("What it can do", "", confinement.NewShieldCard(s, c.Grant)))
		if s.Bundled {
			page.Add(kit.NewText("It comes with goated and gets only what it needs.", 13, 20, kit.ColorMuted))
		}
		return page
	}
	return t.Draw(l, c)
}

// Draw draws the page of a server that runs as l and was started with the configuration c.
func (t *permissionsTab) Draw(l config.Launch, c client.Config) fyne.CanvasObject {
	s, kept := t.page.server, t.page.ps.Settings.Saved(l)
	parts := []fyne.CanvasObject{kit.Section("What it can do", "", confinement.NewShieldCard(s, c.Grant))}
	if !c.NoSandbox {
		parts = append(parts, t.missing(c.Grant), t.granted(l, c, kept))
	}
	if len(kept.Refused) > 0 {
		parts = append(parts, t.refused(l, kept.Refused))
	}
	parts = append(parts, t.sandboxSection(l, c))
	shown := kit.Vertical(26)
	for _, p := range parts {
		if p != nil && p.Visible() {
			shown.Add(p)
		}
	}
	return shown
}

// missing lists the permissions that the server currently seems to lack.
func (t *permissionsTab) missing(g sandbox.Grant) fyne.CanvasObject {
	list := kit.Vertical(8)
	for _, p := range t.page.server.Needs {
		if g.Permissions().Has(p) {
			continue
		}
		allow := kit.NewButton(kit.Primary, "", view.AllowLabel(p), func() { t.page.ps.allowChosen(t.page.server, p) }).Small()
		words := kit.NewText(view.AllowQuestion(t.page.server.Name, p)+".", 13, 20, kit.ColorText)
		list.Add(kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 8, Right: 10, Bottom: 8, Left: 14},
			t.page.ps.withWarning(p, kit.Horizontal(10, words, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorWarn)), words, allow))))
	}
	out := kit.Section("The sandbox blocked it", "goated infers this from what the server wrote and tried to reach. The server may work without it.", list)
	out.Hidden = len(list.Objects) == 0
	return out
}

// granted lists the permissions and the fields that add one.
func (t *permissionsTab) granted(l config.Launch, c client.Config, kept config.Launch) fyne.CanvasObject {
	ps, id := t.page.ps, t.page.server.ID
	toggle := func(kind sandbox.Kind, on bool) fyne.CanvasObject {
		p := sandbox.Permission{Kind: kind}
		return kit.NewToggle(on, func(on bool) {
			if on {
				ps.allow(id, p)
			} else {
				ps.revoke(l, p)
			}
		}).Root
	}
	rows := []fyne.CanvasObject{
		kit.SettingRow("Allow the whole network", view.ConsequenceText(sandbox.Permission{Kind: sandbox.ToNetwork}), toggle(sandbox.ToNetwork, c.Grant.Network == sandbox.AnyNetwork)),
		kit.SettingRow("Allow your other programs", view.ConsequenceText(sandbox.Permission{Kind: sandbox.ToDesktop}), toggle(sandbox.ToDesktop, c.Grant.Desktop)),
	}
	if install := (sandbox.Permission{Kind: sandbox.ToInstall}); c.Command != "" || c.Grant.Install { // a script comes with its packages
		rows = append(rows, kit.SettingRow("Allow package installs", view.ConsequenceText(install), toggle(sandbox.ToInstall, c.Grant.Install)))
	}
	if browser := (sandbox.Permission{Kind: sandbox.ToBrowser}); c.Command != "" || c.Grant.Browser {
		rows = append(rows, kit.SettingRow("Allow a browser", view.ConsequenceText(browser), toggle(sandbox.ToBrowser, c.Grant.Browser)))
	}
	given := kit.Vertical(8)
	for _, p := range c.Grant.Permissions() {
		if p.Path != "" || p.Host != "" {
			given.Add(ps.permissionRow(p, kept.Allowed, func() { ps.revoke(l, p) }))
		}
	}
	if len(given.Objects) > 0 {
		rows = append(rows, given)
	}
	if c.Grant.Network != sandbox.AnyNetwork {
		rows = append(rows, t.hostAdder())
	}
	rows = append(rows, t.adder())
	for _, k := range limit.Kinds {
		rows = append(rows, t.limitRow(l, c, k))
	}
	return kit.Section("Permissions", "Changes restart the server and are remembered until you undo them.", rows...)
}

// limitRow returns the row for raising a limit of the sandbox.
func (t *permissionsTab) limitRow(l config.Launch, c client.Config, k limit.Kind) fyne.CanvasObject {
	ps, id := t.page.ps, t.page.server.ID
	p := sandbox.Permission{Kind: sandbox.ToLimit, Limit: k, Amount: cmp.Or(c.Grant.Limits.Of(k), sandbox.DefaultLimits.More(k))}
	means := fmt.Sprintf("%s instead of %s. It could slow your other programs down.", limit.Number(k, p.Amount), limit.Number(k, sandbox.DefaultLimits.Of(k)))
	return kit.SettingRow("Allow more "+string(k), means, kit.NewToggle(c.Grant.Limits.Of(k) > 0, func(on bool) {
		if on {
			ps.allow(id, p)
		} else {
			ps.revoke(l, p)
		}
	}).Root)
}

// permissionRow makes the row of a permission, with its date and a button that calls remove.
func (ps *Pages) permissionRow(p sandbox.Permission, kept sandbox.Permissions, remove func()) fyne.CanvasObject {
	name := kit.NewLabel(view.PermissionName(p), 13, kit.ColorText).Elided()
	when := "for this run"
	if k, ok := kept.Find(p); ok {
		when = view.AllowedAtText(k.At, ps.Now())
	}
	drop := kit.NewButton(kit.Ghost, "trash", "", remove).Small()
	ps.Tips.Name(drop, "Remove permission", kit.Shortcut{})
	return kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 6, Right: 8, Bottom: 6, Left: 14},
		ps.withWarning(p, kit.Horizontal(10, name, kit.NewIcon(view.PermissionIcon(p), 16, kit.ColorAccent), name, kit.NewLabel(when, 12, kit.ColorFaint), drop)))
}

// CheckAllowedPath returns nil if a permission may name the path, otherwise an error with the reason.
// It reads the file system.
func CheckAllowedPath(path string) error {
	switch {
	case path == "":
		return errors.New("enter a folder or a file")
	case !filepath.IsAbs(path):
		return errors.New("enter a full path, or one that begins with ~")
	case filepath.Clean(path) == string(filepath.Separator):
		return errors.New("that is the whole computer: choose a folder in it")
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%s does not exist", view.Tilde(path))
	}
	return nil
}

// refused lists the permissions that the user refused permanently.
func (t *permissionsTab) refused(l config.Launch, list sandbox.Permissions) fyne.CanvasObject {
	rows := kit.Vertical(8)
	for _, p := range list {
		words := kit.NewLabel(view.PermissionName(p), 13, kit.ColorText).Elided()
		again := kit.NewButton(kit.Outline, "", "Ask again", func() {
			t.page.ps.Decide(l, consent.AskAgain(p))
			t.page.ps.Requests.Forget(LaunchLine(l))
			t.page.draw(t.page.At)
		}).Small()
		rows.Add(kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 6, Right: 8, Bottom: 6, Left: 14}, kit.Horizontal(10, words, kit.NewIcon("shield", 16, kit.ColorFaint), words, again)))
	}
	return kit.Section("goated does not ask again for", "", rows)
}

// sandboxSection makes the section that turns the sandbox off or on.
func (t *permissionsTab) sandboxSection(l config.Launch, c client.Config) fyne.CanvasObject {
	ps, s := t.page.ps, t.page.server
	if c.NoSandbox {
		return kit.Section("Without the sandbox", "Its earlier permissions apply again once it is sandboxed.",
			kit.Horizontal(8, nil, kit.NewButton(kit.Outline, "shield", "Turn the sandbox back on", func() { ps.confine(l, true) })))
	}
	return kit.Section("Without the sandbox", "For servers that you trust like a program you installed.",
		kit.Horizontal(8, nil, kit.NewButton(kit.Outline, "shield-off", "Run without the sandbox…", func() { ps.Unconfine(s) })))
}
