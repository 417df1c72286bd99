package servers

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/internal/sandbox"
	"goated/ui/failure"
	"goated/ui/kit"
	"goated/ui/runconfig"
	"goated/ui/view"
)

// newCard makes the card of a server that is not running.
func (t *processTab) newCard() failure.Card {
	ps := t.page.ps
	return failure.Card{Folded: &t.page.folded, OnResize: t.page.Refit, OnCopy: ps.Copy, OnOpen: ps.Reveal,
		OnRestart: func() { ps.Restart(t.page.server) },
		OnEdit:    func() { edit(ps, t.page.server) },
		OnLink:    ps.OpenLink,
		OnLookIn:  func(dir string) { ps.restartLookingIn(t.page.server, dir) },
		OnBring: func(command string) fyne.CanvasObject {
			return newInstallButton(ps, command, t.page.Refit, func() { ps.Restart(t.page.server) })
		},
		OnAllow: func(p sandbox.Permission) { ps.allowChosen(t.page.server, p) },
		OnFree:  func() { ps.Unconfine(t.page.server) },
	}
}

// processPage shows the server's command and its environment.
func (t *processTab) processPage() fyne.CanvasObject {
	ps, s := t.page.ps, t.page.server
	how := []fyne.CanvasObject{kit.Facts("Command", view.ServerCommand(s), "Prefix", s.ID+"__")}
	var launched client.Config
	known := false
	if ps.Host != nil {
		launched, known = ps.Host.Config(s.ID)
	}
	launch := consent.LaunchOf(launched)
	if !known {
		launch = consent.LaunchOfServer(s)
	}
	if !s.Bundled {
		l := ps.Settings.Saved(launch)
		o := kit.NewOption(kit.Checkbox, "Start with goated", ps.Settings.StartsServer(l), nil)
		o.OnChange = func() {
			if !known {
				ps.Change(ps.Settings.WithStart(l, o.On))
				return
			}
			ps.storeSecrets(launch, func(l config.Launch) { ps.Change(ps.Settings.WithStart(l, o.On)) })
		}
		how = append(how, o.Root)
	}
	if known && !s.Bundled {
		gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
		how = append(how, kit.Horizontal(0, gap, kit.NewButton(kit.Outline, "pencil", "Edit…", func() { edit(ps, t.page.server) }), gap))
	}
	parts := []fyne.CanvasObject{kit.Section("How it runs", "", how...)}
	if s.Instructions != "" {
		parts = append(parts, kit.Section("What it tells the model", "The server wrote this. goated passes it to the model as notes for this server's tools only.",
			kit.NewText(safetext.Mark(s.Instructions), 13, 20, kit.ColorText)))
	}
	list := kit.Vertical(0)
	if ps.Host != nil {
		for _, v := range ps.Host.Environment(s.ID) {
			list.Add(t.variable(v))
		}
	}
	if len(list.Objects) == 0 {
		list.Add(kit.NewEmptyNote("server", "Start the server to see this."))
	}
	return kit.Vertical(26, append(parts,
		kit.Section("All variables it gets", "A few of your variables, and those set for this server. goated does not pass on your keys.", list))...)
}

// variable makes one line of the environment. It masks a secret value until the user chooses to
// see it.
func (t *processTab) variable(v client.Variable) fyne.CanvasObject {
	name := kit.NewLabel(v.Name, 12, kit.ColorText).Mono().Elided()
	value := kit.NewLabel(cmp.Or(v.Value, "(empty)"), 12, kit.ColorMuted).Mono().Elided()
	parts := []fyne.CanvasObject{kit.Sized(190, 30, name), value}
	if v.Set {
		parts = append(parts, kit.NewLabel("set for it", 11, kit.ColorFaint))
	}
	if (config.Variable{Name: v.Name, Value: v.Value}).Secret() {
		icon := "eye-off"
		if !t.unmasked[v.Name] {
			icon = "eye"
			value.Set(runconfig.Mask)
		}
		parts = append(parts, kit.NewButton(kit.Ghost, icon, "", func() {
			t.unmasked[v.Name] = !t.unmasked[v.Name]
			shown := t.page.Body.Scroll.Offset
			t.page.draw(serverProcess)
			t.page.Body.Scroll.ScrollToOffset(shown)
		}).Small())
	}
	return kit.Vertical(0, container.New(kit.Row{Gap: 10, Flex: value}, parts...), kit.NewLine())
}
