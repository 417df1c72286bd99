package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/config"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// logPage is what the server last wrote to its stderr.
func (b *serverBook) logPage() fyne.CanvasObject {
	lines := b.server.Stderr
	page := vertical(12)
	if b.server.Status == client.Failed && b.server.Err != nil {
		page.Add(b.why().card(b.server, b.server.Err))
	}
	if view.StrayNote(b.server) != "" {
		page.Add(vertical(2, newText(view.StrayNote(b.server)+".", 13, 20, colorWarn), newText(view.StrayAdvice(b.server), 13, 20, colorMuted)))
	}
	if note := view.HabitNote(b.server); note != "" {
		page.Add(vertical(2, newText(note, 13, 20, colorMuted), newText("None of this does harm: goated reads it all the same.", 13, 20, colorFaint)))
	}
	if w := b.w; w.options.Host != nil {
		if all := w.options.Host.Log(b.server.ID); len(all) > 0 {
			lines = all
		}
	}
	if len(lines) == 0 {
		page.Add(emptyNote("list", "The server has written nothing yet. What it writes to stderr appears here at once."))
		return page
	}
	text := strings.Join(lines, "\n")
	body := newText(text, 12, 18, colorText)
	body.style.Monospace = true
	page.Add(newListing("stderr, the last lines", body, func() { b.w.copy(text) }))
	return page
}

// why is the card that tells why the server does not run.
func (b *serverBook) why() whyFailed {
	w := b.w
	return whyFailed{folded: &b.folded, OnResize: b.refit, OnCopy: w.copy, OnOpen: w.shell.reveal,
		OnRestart: func() { w.restart(b.server) },
		OnEdit:    b.amend,
		OnLink:    w.shell.follow,
		OnLookIn:  func(dir string) { w.lookIn(b.server, dir) },
		OnAllow:   func(p sandbox.Permission) { w.offer(b.server, p) },
	}
}

// mask stands for a value that is not shown.
const mask = "••••••••"

// processPage is how the server runs: its command, what can be changed of it, and
// its environment.
func (b *serverBook) processPage() fyne.CanvasObject {
	w, s := b.w, b.server
	how := []fyne.CanvasObject{facts("Command", view.ServerCommand(s), "Prefix", s.ID+"__")}
	var launched client.Config
	known := false
	if w.options.Host != nil {
		launched, known = w.options.Host.Config(s.ID)
	}
	launch := config.Launch{Path: config.Absolute(s.Path), Args: launched.Args, Dir: launched.Dir, Env: config.VariablesOf(launched.Env)}
	if !s.Bundled {
		l := w.settings.Known(config.Launch{Path: launch.Path, Args: s.Args})
		o := newOption(boxMark, "Start with goated", w.settings.AtLaunch(l), nil)
		o.OnChange = func() {
			if !known {
				w.change(w.settings.Start(l, o.on))
				return
			}
			w.keepLaunch(launch, func(l config.Launch) { w.change(w.settings.Start(l, o.on)) })
		}
		how = append(how, o.root)
	}
	parts := []fyne.CanvasObject{chapter("How it runs", "", how...)}
	if known && !s.Bundled {
		parts = append(parts, b.changes(launch))
	}
	list := vertical(0)
	if w.options.Host != nil {
		for _, v := range w.options.Host.Environment(s.ID) {
			list.Add(b.variable(v))
		}
	}
	if len(list.Objects) == 0 {
		list.Add(emptyNote("server", "Nothing of it is known while the server is not running."))
	}
	return vertical(26, append(parts,
		chapter("All that it is given", "A few of your variables, and what was set for it. Keys of yours are not among them.", list))...)
}

// changes are the fields that change how the server runs.
func (b *serverBook) changes(l config.Launch) fyne.CanvasObject {
	w := b.w
	home, _ := os.UserHomeDir()
	f := newLaunchForm(w.clock, w.secrets.Lasting(), home)
	wrong := newText("", 13, 20, colorBad)
	wrong.Hide()
	complain := func(text string) {
		wrong.Hidden = text == ""
		wrong.setText(text)
		b.refit()
	}
	apply := func() {
		next, err := f.read(config.Launch{Path: l.Path})
		if err != nil {
			complain(view.Sentence(err.Error()))
			return
		}
		complain("")
		w.rerun(b.server, l, next)
	}
	b.form = f
	f.put(l)
	f.submits(apply)
	f.refuses(complain)
	f.vars.OnResize = b.refit
	label := func(text string) fyne.CanvasObject { return newLabel(text, 13, colorText).strong() }
	gap := newLabel("", 12, colorFaint).elided()
	return chapter("Change it", "A change ends the server and starts it anew. The next start of it is the same.",
		vertical(6, label("Arguments"), newField(f.args)),
		vertical(6, label("Environment"), f.vars.root),
		vertical(6, label("Working directory"), newField(f.dir)),
		wrong, horizontal(8, gap, gap, newButton(primary, "retry", "Apply and restart", apply)))
}

// amend leads to what has to be changed of a server that does not run: the
// variable that it wants, or its arguments.
func (b *serverBook) amend() {
	b.form = nil
	b.turn(serverProcess)
	if b.form == nil {
		return
	}
	name := view.Diagnosed(b.server.Err).Args.Variable
	if name == "" {
		focus(b.form.args)
		return
	}
	if b.form.vars.named(name) == nil {
		l, _, _ := b.w.launchOf(b.server.ID)
		b.form.vars.put(append(slices.Clone(l.Env), config.Variable{Name: name}))
	}
	focus(b.form.vars.named(name).value)
}

// rerun restarts a server that ran as old in another way, and keeps that if it
// does.
func (w *Window) rerun(s client.Server, old, next config.Launch) {
	w.begin(func() {
		err := w.options.Host.Change(w.ctx, s.ID, client.Config{Args: next.Args, Env: config.Environ(next.Env), Dir: next.Dir})
		w.post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				w.alert(err)
			case err == nil:
				// Its secrets go on where they were.
				for _, e := range w.settings.Known(old).Env {
					if at := slices.IndexFunc(next.Env, func(n config.Variable) bool { return n.Name == e.Name }); at >= 0 && next.Env[at].Ref == "" {
						next.Env[at].Ref = e.Ref
					}
				}
				w.keepLaunch(next, func(kept config.Launch) { w.change(w.settings.Changed(old, kept)) })
				w.mended(s)
				w.toasts.say("check", fmt.Sprintf("%s is running anew", s.Name))
			}
		})
	})
}

// variable is one line of the environment. What was set for the server may be a
// secret, so it is shown on request.
func (b *serverBook) variable(v client.Variable) fyne.CanvasObject {
	name := newLabel(v.Name, 12, colorText).mono().elided()
	value := newLabel(firstOf(v.Value, "(empty)"), 12, colorMuted).mono().elided()
	parts := []fyne.CanvasObject{sized(190, 30, name), value}
	if v.Set {
		parts = append(parts, newLabel("set for it", 11, colorFaint))
	}
	if (config.Variable{Name: v.Name, Value: v.Value}).Secret() {
		icon := "eye-off"
		if !b.unmasked[v.Name] {
			icon = "eye"
			value.set(mask)
		}
		parts = append(parts, newButton(ghost, icon, "", func() {
			b.unmasked[v.Name] = !b.unmasked[v.Name]
			b.draw(serverProcess)
		}).small())
	}
	return vertical(0, container.New(row{gap: 10, flex: value}, parts...), newLine())
}
