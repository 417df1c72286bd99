package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/runconfig"
	"goated/ui/view"
)

// newCard makes the card of a server that does not run.
func (t *processTab) newCard() failureCard {
	ps := t.page.ps
	return failureCard{folded: &t.page.folded, OnResize: t.page.Refit, OnCopy: ps.Copy, OnOpen: ps.Reveal,
		OnRestart: func() { ps.Restart(t.page.server) },
		OnEdit:    t.editLaunch,
		OnLink:    ps.OpenLink,
		OnLookIn:  func(dir string) { ps.lookIn(t.page.server, dir) },
		OnBring: func(command string) fyne.CanvasObject {
			return bring(ps, command, t.page.Refit, func() { ps.Restart(t.page.server) })
		},
		OnAllow: func(p sandbox.Permission) { ps.allowChosen(t.page.server, p) },
		OnFree:  func() { ps.Unconfine(t.page.server) },
	}
}

// mask replaces a hidden value on the screen.
const mask = "••••••••"

// processPage shows the server's command, the fields to change it, and its
// environment.
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
		launch = consent.Of(s)
	}
	if !s.Bundled {
		l := ps.Settings.Known(launch)
		o := kit.NewOption(kit.Checkbox, "Start with goated", ps.Settings.AtLaunch(l), nil)
		o.OnChange = func() {
			if !known {
				ps.Change(ps.Settings.Start(l, o.On))
				return
			}
			ps.keepLaunch(launch, func(l config.Launch) { ps.Change(ps.Settings.Start(l, o.On)) })
		}
		how = append(how, o.Root)
	}
	parts := []fyne.CanvasObject{kit.Section("How it runs", "", how...)}
	if known && !s.Bundled {
		if t.form == nil || !reflect.DeepEqual(t.launch, launch) { // else they keep what the user entered
			t.launch, t.fields = launch, t.launchFields(launch)
			t.filled = texts(t.fields)
		}
		parts = append(parts, t.fields)
	} else {
		t.form = nil
	}
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

// launchFields makes the fields that change how the server runs.
func (t *processTab) launchFields(l config.Launch) fyne.CanvasObject {
	ps := t.page.ps
	home, _ := os.UserHomeDir()
	f := runconfig.New(ps.Clock, ps.Secrets.Lasting(), home)
	wrong := kit.NewText("", 13, 20, kit.ColorBad)
	wrong.Hide()
	complain := func(text string) {
		wrong.Hidden = text == ""
		wrong.SetText(text)
		t.page.Refit()
	}
	apply := func() {
		next, err := f.Read(config.Launch{Name: l.Name, Path: l.Path, Command: l.Command, URL: l.URL, Headers: l.Headers})
		if err != nil {
			complain(view.PlainSentence(err))
			return
		}
		complain("")
		if ps.Secrets.Lasting() {
			next = next.WithoutSecrets()
		}
		ps.changeLaunch(t.page.server, l, next)
	}
	t.form = f
	f.Put(l)
	f.SetOnSubmit(apply)
	f.SetOnRefuse(complain)
	f.Vars.OnResize = t.page.Refit
	label := func(text string) fyne.CanvasObject { return kit.NewLabel(text, 13, kit.ColorText).Strong() }
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	return kit.Section("Change it", "Changes restart the server. They also apply to later starts.",
		kit.Vertical(6, label("Arguments"), kit.NewField(f.Args)),
		kit.Vertical(6, label("Environment"), f.Vars.Root),
		kit.Vertical(6, label("Working directory"), kit.NewField(f.Dir)),
		wrong, kit.Horizontal(8, gap, gap, kit.NewButton(kit.Primary, "retry", "Apply and restart", apply)))
}

// editLaunch opens the process page of a server that does not run, and focuses the
// missing variable or else the arguments.
func (t *processTab) editLaunch() {
	t.page.Select(serverProcess)
	if t.form == nil {
		return
	}
	name := view.Diagnosed(t.page.server.Err).Args.Variable
	if name == "" {
		kit.Focus(t.form.Args)
		return
	}
	if t.form.Vars.Find(name) == nil {
		l, _, _ := t.page.ps.launchOf(t.page.server.ID)
		t.form.Vars.Put(append(slices.Clone(l.Env), config.Variable{Name: name}))
	}
	kit.Focus(t.form.Vars.Find(name).Value)
}

// changeLaunch restarts a server as next instead of old. It saves next if the restart
// succeeds.
func (ps *Pages) changeLaunch(s client.Server, old, next config.Launch) {
	ps.Go(func() {
		err := ps.Host.Change(ps.Ctx, s.ID, client.Config{Args: next.Args, Env: config.Environ(next.Env), Dir: next.Dir})
		ps.Post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				ps.Alert(err)
			case err == nil:
				// Its secrets keep their references.
				for _, e := range ps.Settings.Known(old).Env {
					if at := slices.IndexFunc(next.Env, func(n config.Variable) bool { return n.Name == e.Name }); at >= 0 && next.Env[at].Ref == "" {
						next.Env[at].Ref = e.Ref
					}
				}
				ps.keepLaunch(next, func(kept config.Launch) { ps.Change(ps.Settings.Changed(old, kept)) })
				ps.restarted(s)
				ps.Toasts.Say("check", fmt.Sprintf("%s restarted", s.Name))
			}
		})
	})
}

// variable makes one line of the environment. It masks a secret value until the
// user asks to see it.
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
			value.Set(mask)
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
