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

// Edit opens the sheet that edits a server, even while the server runs. l is its launch in the
// settings.
func Edit(ps *Pages, s client.Server, l config.Launch) {
	linked := false
	if running, _, ok := ps.launchOf(s.ID); ok && !slices.ContainsFunc(ps.Settings.Launch, l.Same) {
		l = running // includes its variables
		linked = ps.isLinked(s.ID, l)
	}
	if p := ps.Page; p != nil {
		if u, ok := p.unsaved(); ok { // closing the page would lose it
			u.show()
			return
		}
		p.OnClose() // the page covers the sheet, or the sheet would cover the page
	}
	c := ps.Connector
	if c == nil {
		c = ps.openConnect()
	}
	if linked {
		ps.ofFiles = append(ps.ofFiles, s.ID)
	}
	if c.edit == nil || !c.edit.failed || s.ID == "" || c.last.id != s.ID { // otherwise Cancel restores what ran before the sheet opened
		c.edit = newEditing(ps, s, l)
	}
	c.last = attempt{launch: l, id: s.ID, chosen: true, linked: linked, why: s.Err}
	c.editServer(c.edit.name, s.ID != "")
	connectFlow{ps}.reconnect(l, true)
}

// edit is like Edit for a server of the host.
func edit(ps *Pages, s client.Server) {
	if l, _, ok := ps.launchOf(s.ID); ok {
		Edit(ps, s, ps.Settings.Saved(l))
	} else if !s.Bundled {
		Edit(ps, s, ps.Settings.Saved(consent.LaunchOfServer(s)))
	}
}

// editServer makes the sheet edit one server. The sheet then lists no others and installs nothing.
func (c *connectSheet) editServer(name string, listed bool) {
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

// lead shows all fields, and focuses the field that the server's failure names.
func (c *connectSheet) lead() {
	c.showExtra(true)
	if c.last.why == nil {
		return
	}
	switch name := view.DiagnosisOf(c.last.why).Args.Variable; {
	case name != "":
		if c.form.Vars.Find(name) == nil {
			c.form.Vars.Put(append(c.form.Vars.Entered(), config.Variable{Name: name}))
		}
		kit.Focus(c.form.Vars.Find(name).Value)
	case c.last.launch.Path != "":
		kit.Focus(c.form.Args)
	}
}

// change restarts a server as l. If the host has l afterwards, change saves l even if the
// server fails, so the list shows one server for the user to correct. If the host cannot start
// l, for example in a missing folder, the host and the settings keep the running server.
func (f connectFlow) change(c *connectSheet, s client.Server, l config.Launch) {
	last := c.last
	c.setTried(l)
	c.busy(true)
	f.Go(func() {
		err := f.Host.Change(f.Ctx, s.ID, client.Config{Args: l.Args, Env: config.Environ(l.Env), Dir: l.Dir})
		f.Post(func() {
			if f.recordAttempt(c, s.ID, err) {
				return
			}
			_, now, ok := f.launchOf(s.ID)
			if err == nil || ok && now.Dir == l.Dir && slices.Equal(now.Args, l.Args) && slices.Equal(now.Env, config.Environ(l.Env)) {
				f.storeSecrets(l, func(kept config.Launch) {
					changed := f.Settings.WithReplaced(last.launch, kept)
					if !last.linked && !slices.ContainsFunc(changed.Launch, kept.Same) { // it runs only because of --server
						changed = changed.WithStart(kept, true)
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
