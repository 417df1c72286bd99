package servers

import (
	"fmt"
	"slices"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/kit"
	"goated/ui/view"
)

// Edit opens the sheet that changes a server, also while it runs. l is how the settings have it.
func Edit(ps *Pages, s client.Server, l config.Launch) {
	linked := false
	if running, _, ok := ps.launchOf(s.ID); ok && !slices.ContainsFunc(ps.Settings.Launch, l.Same) {
		l = running // with its variables
		linked = ps.ofFile(s.ID, l)
	}
	if p := ps.Page; p != nil {
		if u, ok := p.unsaved(); ok { // closing would lose it
			u.show()
			return
		}
		p.OnClose() // it covers the sheet, or the sheet would cover it
	}
	c := ps.Connector
	if c == nil {
		c = ps.openConnect()
	}
	if linked {
		ps.ofFiles = append(ps.ofFiles, s.ID)
	}
	if c.edit == nil || !c.edit.failed || s.ID == "" || c.last.id != s.ID { // else Cancel brings back what ran before the sheet opened
		c.edit = newEditing(ps, s, l)
	}
	c.last = attempt{launch: l, id: s.ID, chosen: true, linked: linked, why: s.Err}
	c.edits(c.edit.name, s.ID != "")
	connectFlow{ps}.reconnect(l, true)
}

// edit is Edit for a server of the host.
func edit(ps *Pages, s client.Server) {
	if l, _, ok := ps.launchOf(s.ID); ok {
		Edit(ps, s, ps.Settings.Known(l))
	} else if !s.Bundled {
		Edit(ps, s, ps.Settings.Known(consent.Of(s)))
	}
}

// edits shows that the sheet changes one server. It then lists no others and installs nothing.
func (c *connectSheet) edits(name string, listed bool) {
	c.Title.Set("Edit " + name)
	c.intro.SetText("Changes also apply to later starts.")
	c.connect.SetText("Save and start")
	if listed {
		c.connect.SetText("Save and restart")
	}
	if c.last.linked {
		c.intro.SetText("Its linked file says how it starts. This change lasts until it stops.")
		c.connect.SetText("Change and restart")
	}
	c.OnSearch, c.OnNamed, c.OnBundle = nil, nil, nil
	c.others.Hide()
	c.found.Hide()
}

// lead shows all fields, and focuses the one that the failure of the server names.
func (c *connectSheet) lead() {
	c.showExtra(true)
	if c.last.why == nil {
		return
	}
	switch name := view.Diagnosed(c.last.why).Args.Variable; {
	case name != "":
		if c.form.Vars.Find(name) == nil {
			c.form.Vars.Put(append(c.form.Vars.Entered(), config.Variable{Name: name}))
		}
		kit.Focus(c.form.Vars.Find(name).Value)
	case c.last.launch.Path != "":
		kit.Focus(c.form.Args)
	}
}

// change restarts a server as l, and saves l if the host has it then, also if it fails: the list shows one
// server, which the user corrects. If the host can't start l, such as in a missing folder, both keep what runs.
func (f connectFlow) change(c *connectSheet, s client.Server, l config.Launch) {
	last := c.last
	c.setTried(l)
	c.busy(true)
	f.Go(func() {
		err := f.Host.Change(f.Ctx, s.ID, client.Config{Args: l.Args, Env: config.Environ(l.Env), Dir: l.Dir})
		f.Post(func() {
			if f.attempted(c, s.ID, err) {
				return
			}
			_, now, ok := f.launchOf(s.ID)
			if err == nil || ok && now.Dir == l.Dir && slices.Equal(now.Args, l.Args) && slices.Equal(now.Env, config.Environ(l.Env)) {
				f.keepLaunch(l, func(kept config.Launch) {
					changed := f.Settings.Changed(last.launch, kept)
					if !last.linked && !slices.ContainsFunc(changed.Launch, kept.Same) { // it runs only since --server
						changed = changed.Start(kept, true)
					}
					f.Change(changed)
				})
				c.last.launch = l
			}
			if err != nil {
				f.connected(c, s, err)
				return
			}
			if f.Connector == c {
				f.closeConnect()
			}
			f.Toasts.Say("check", fmt.Sprintf("%s restarted", s.Name))
		})
	})
}
