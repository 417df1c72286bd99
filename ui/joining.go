package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/ui/kit"
	"goated/ui/view"
)

// connect opens the sheet that connects servers.
func (ps *serverPages) connect() {
	if ps.connector != nil {
		return
	}
	home, _ := os.UserHomeDir() // without one, ~ is a name like another
	c := newConnector(ps.Clock, func() time.Time { return ps.Now() }, ps.Tips, home, ps.secrets.Lasting())
	c.OnConnect = ps.join
	c.OnAgain = func(l config.Launch) { ps.rejoin(l, false) }
	c.OnEdit = func(l config.Launch) { ps.rejoin(l, true) }
	c.OnCancel = ps.leave
	c.OnBrowse = ps.browse
	c.OnDisconnect = ps.part
	c.OnCopy = ps.Copy
	c.OnVisit = func(s client.Server) { ps.visit(s.ID, "") }
	c.OnForget = ps.forget
	c.OnRestart, c.OnOpen, c.OnReplace = ps.restart, ps.Reveal, ps.replace
	c.OnAllow = ps.offer
	c.OnSet = func(s client.Server) {
		if ps.visit(s.ID, ""); ps.station != nil {
			ps.station.amend()
		}
	}
	c.OnLink, c.OnLookIn = ps.Follow, ps.lookIn
	c.OnLog = func(s client.Server) { ps.visitAt(s.ID, serverLog) }
	c.recent = ps.Settings.Recent
	ps.connector = c
	c.show(ps.servers)
	ps.Sheets.Open(c.Sheet)
}

// leave closes the sheet, and gives up a connection that is being made.
func (ps *serverPages) leave() {
	if ps.joining != nil {
		ps.joining()
		ps.joining = nil
	}
	if c := ps.connector; c != nil {
		ps.connector = nil
		c.spin.Turn(false)
		c.count(false)
		ps.Sheets.Shut(c.Sheet)
	}
}

// rejoin connects a server of before, or has it changed first. So it is, too, if
// a secret of its environment is not to be had any more.
func (ps *serverPages) rejoin(l config.Launch, edit bool) {
	c := ps.connector
	ps.Go(func() {
		env, missing := ps.secrets.Fill(l.Env)
		ps.Post(func() {
			if ps.connector != c {
				return
			}
			l.Env = env
			if !edit && len(missing) == 0 {
				ps.join(l)
				return
			}
			c.fill(l)
			if len(missing) > 0 {
				var names []string
				for _, m := range missing {
					names = append(names, m.Name)
				}
				c.say(view.Plural(len(names), "The value of %[2]s is not kept any more.", "The values of %[2]s are not kept any more.", strings.Join(names, ", ")), "Enter it again, and connect.")
				kit.Focus(c.form.vars.named(names[0]).value)
			}
		})
	})
}

// join connects a server, which may take half a minute.
func (ps *serverPages) join(l config.Launch) {
	c := ps.connector
	ctx, cancel := context.WithCancel(ps.Ctx)
	ps.joining = cancel
	c.trying(l)
	c.busy(true)
	start := consent.Remembered(*ps.Settings, client.Config{Path: l.Path, Args: l.Args, Dir: l.Dir, Env: config.Environ(l.Env)})
	ps.Go(func() {
		defer cancel()
		ps.supersede(ctx, l)
		id, err := ps.host.Connect(ctx, start)
		var s client.Server
		for _, have := range ps.host.Snapshot().Servers {
			if have.ID == id {
				s = have
			}
		}
		ps.Post(func() {
			if err == nil {
				l.Path = config.Absolute(l.Path)
				ps.keepLaunch(l, func(kept config.Launch) { ps.Change(ps.Settings.Used(kept)) })
			}
			ps.joined(c, s, err)
		})
	})
}

// supersede takes off the list what runs the same and failed: with what is filled
// in now, it is the same server to the user. To the host it may be another.
func (ps *serverPages) supersede(ctx context.Context, l config.Launch) {
	for _, s := range ps.host.Snapshot().Servers {
		if s.Status == client.Failed && l.Same(config.Launch{Path: s.Path, Args: s.Args}) {
			_ = ps.host.Disconnect(ctx, s.ID) // it goes as soon as its process has
		}
	}
}

// forget takes a server off those of before.
func (ps *serverPages) forget(l config.Launch) {
	ps.Change(ps.Settings.Forget(l))
	if c := ps.connector; c != nil {
		c.recent = ps.Settings.Recent
		c.show(ps.servers)
	}
}

// joined shows how a connection went. The sheet may have been closed since.
func (ps *serverPages) joined(c *connector, s client.Server, err error) {
	if ps.connector != c {
		return
	}
	ps.joining = nil
	c.busy(false)
	switch {
	case errors.Is(err, context.Canceled):
	case err != nil:
		if !slices.ContainsFunc(ps.host.Snapshot().Servers, c.lost) {
			c.fail(err) // nothing was started; else what is seen of it says all
		}
		c.Body.Scroll.ScrollToTop()
		kit.Focus(c.path)
	default:
		ps.leave()
		ps.Toasts.Say("check", fmt.Sprintf("Connected to %s", view.ServerLabel(s)))
	}
}

// part disconnects a server, or takes one that failed off the list.
func (ps *serverPages) part(s client.Server) {
	ps.Go(func() {
		err := ps.host.Disconnect(ps.Ctx, s.ID)
		ps.Post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				ps.Alert(err)
			case err == nil && s.Status != client.Failed:
				ps.Toasts.Say("check", fmt.Sprintf("Disconnected from %s", s.Name))
			}
		})
	})
}

// replace has the user look for another script in place of a server's, whose other
// settings stay.
func (ps *serverPages) replace(s client.Server) {
	if l, _, ok := ps.launchOf(s.ID); ok {
		ps.connector.fill(l)
	}
	ps.browse()
}

// browse has the user look for a script.
func (ps *serverPages) browse() {
	c := ps.connector
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			c.fail(err)
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		if err := file.Close(); err != nil {
			c.fail(err)
			return
		}
		c.path.Put(path)
	}, ps.Sheets.Window)
	d.SetFilter(storage.NewExtensionFileFilter([]string{".py", ".js", ".go"}))
	d.SetConfirmText("Choose")
	d.Resize(fyne.NewSize(900, 620))
	d.Show()
}
