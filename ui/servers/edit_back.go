package servers

import (
	"cmp"
	"slices"

	"goated/client"
	"goated/internal/config"
)

// An editing is the server that the sheet changes, as it was before.
type editing struct {
	name   string
	was    config.Launch // with the values of its secrets
	saved  config.Launch // its entry of the settings
	held   bool          // the settings have it
	recent bool          // it is among the recent servers
	ran    client.Config // how the host has it
	listed bool          // the host has it
	failed bool          // a change failed, and took its place
	shown  bool          // the form shows that change as it was tried
	gone   bool          // the user cancelled while a change started
}

func newEditing(ps *Pages, s client.Server, l config.Launch) *editing {
	e := &editing{name: l.Called(), was: l}
	if i := slices.IndexFunc(ps.Settings.Launch, l.Same); i >= 0 {
		e.saved, e.held = ps.Settings.Launch[i], true
	}
	e.recent = slices.ContainsFunc(ps.Settings.Recent, l.Same)
	_, e.ran, e.listed = ps.launchOf(s.ID)
	return e
}

// offerKeep shows or hides "Save anyway". It keeps the change that failed, so it goes when the form shows another.
func offerKeep(c *connectSheet, on bool) {
	if c.edit != nil {
		c.edit.shown = on
	}
	if on == c.keep.Hidden {
		c.keep.Hidden = !on
		c.Refit()
	}
}

// attempted notes how a change of the sheet's server went. If the user has cancelled it meanwhile, the
// server starts as before, also if the change works, and attempted returns true. id names the server that the change left; empty: none.
func (f connectFlow) attempted(c *connectSheet, id string, err error) bool {
	if c.edit == nil {
		return false
	}
	_, runs := f.isRunning(c.last) // the host refused the change
	c.edit.failed = err != nil && !runs
	if c.edit.shown = c.edit.failed; !c.edit.gone || err != nil && runs {
		return false
	}
	c.last.id = cmp.Or(id, c.last.id)
	f.goBack(c)
	return true
}

// cancel closes the sheet. A server whose change failed starts as it did before the sheet opened.
func (f connectFlow) cancel() {
	c := f.Connector
	f.closeConnect()
	switch {
	case c == nil || c.edit == nil:
		return
	case c.Path.Disabled(): // attempted goes back
		c.edit.gone = true
		return
	case !c.edit.failed:
		return
	}
	if _, runs := f.isRunning(c.last); !runs { // such as after its script changed
		f.goBack(c)
	}
}

// goBack takes back a change that failed. The form's last text stays among the recent servers.
func (f connectFlow) goBack(c *connectSheet) {
	e, now := c.edit, c.last
	f.keepLaunch(e.was, func(kept config.Launch) {
		s := *f.Settings
		tried := s.Known(now.launch)
		switch {
		case !e.held && !now.linked:
			s = s.Drop(now.launch)
		case e.held:
			e.saved.Env, e.saved.Headers = kept.Env, kept.Headers
			s = config.Updated(s, now.launch, e.saved)
			if e.recent {
				s = s.Used(e.saved)
			}
			if !e.saved.Same(tried) {
				s = s.Used(tried)
			}
		}
		f.Change(s)
	})
	f.Go(func() {
		if now.id != "" {
			_ = f.Host.Disconnect(f.Ctx, now.id) // it may never have started
		}
		var err error
		if e.listed {
			var id string
			id, err = client.ConnectSaved(f.Ctx, f.Host, e.ran)
			if now.linked {
				f.Post(func() { f.ofFiles = append(f.ofFiles, id) })
			}
		}
		f.Post(func() {
			if err == nil {
				f.Toasts.Say("check", e.name+" is as it was before")
			}
		})
	})
}
