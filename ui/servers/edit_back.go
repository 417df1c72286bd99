package servers

import (
	"cmp"
	"slices"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
)

// An editing is the server that the sheet edits, as it was before.
type editing struct {
	name   string
	was    config.Launch // includes the values of its secrets
	saved  config.Launch // its entry in the settings
	held   bool          // the settings contain it
	recent bool          // it is among the recent servers
	ran    client.Config // its configuration in the host
	listed bool          // the host has it
	failed bool          // a change failed and replaced it
	shown  bool          // the form still shows the failed change
	gone   bool          // the user cancelled while a changed server was starting
}

func newEditing(ps *Pages, s client.Server, l config.Launch) *editing {
	e := &editing{name: l.DisplayName(), was: l}
	if i := slices.IndexFunc(ps.Settings.Launch, l.Same); i >= 0 {
		e.saved, e.held = ps.Settings.Launch[i], true
	}
	e.recent = slices.ContainsFunc(ps.Settings.Recent, l.Same)
	_, e.ran, e.listed = ps.launchOf(s.ID)
	return e
}

// showSaveAnyway shows or hides "Save anyway". The button keeps the failed change, so it disappears
// when the form shows a different one.
func showSaveAnyway(c *connectSheet, on bool) {
	if c.edit != nil {
		c.edit.shown = on
	}
	if on == c.keep.Hidden {
		c.keep.Hidden = !on
		c.Refit()
	}
}

// recordAttempt records the result of a change to the sheet's server. If the user has cancelled in
// the meantime, it restores the previous server, even if the change works, and returns true. id
// is the ID of the server that the change left, or "" if there is none.
func (f connectFlow) recordAttempt(c *connectSheet, id string, err error) bool {
	if c.edit == nil {
		return false
	}
	_, runs := f.isRunning(c.last) // the host rejected the change
	c.edit.failed = err != nil && !runs
	if c.edit.shown = c.edit.failed; !c.edit.gone || err != nil && runs {
		return false
	}
	c.last.id = cmp.Or(id, c.last.id)
	f.goBack(c)
	return true
}

// cancel closes the sheet. If a change to the server failed, it restarts the server as it was
// before the sheet opened.
func (f connectFlow) cancel() {
	c := f.Connector
	f.closeConnect()
	switch {
	case c == nil || c.edit == nil:
		return
	case c.Path.Disabled(): // attempted restores the server
		c.edit.gone = true
		return
	case !c.edit.failed:
		return
	}
	if _, runs := f.isRunning(c.last); !runs { // it may be running, for example after its script changed
		f.goBack(c)
	}
}

// goBack undoes a failed change. The form's last text stays among the recent servers.
func (f connectFlow) goBack(c *connectSheet) {
	e, now := c.edit, c.last
	f.storeSecrets(e.was, func(kept config.Launch) {
		s := *f.Settings
		tried := s.Saved(now.launch)
		switch {
		case !e.held && !now.linked:
			s = s.WithoutStart(now.launch)
		case e.held:
			e.saved.Env, e.saved.Headers = kept.Env, kept.Headers
			s = config.WithUpdated(s, now.launch, e.saved)
			if e.recent {
				s = s.WithRecent(e.saved)
			}
			if !e.saved.Same(tried) {
				s = s.WithRecent(tried)
			}
		}
		f.Change(s)
	})
	f.Go(func() {
		if now.id != "" {
			_ = f.Host.Disconnect(f.Ctx, now.id) // the server may never have started
		}
		var err error
		if e.listed {
			client.KeepFolder(f.Host, consent.ConfigOf(now.launch), e.ran)
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
