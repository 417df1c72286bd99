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
func (w *Window) connect() {
	if w.connector != nil {
		return
	}
	home, _ := os.UserHomeDir() // without one, ~ is a name like another
	c := newConnector(w.clock, func() time.Time { return w.now() }, w.tips, home, w.secrets.Lasting())
	c.OnConnect = w.join
	c.OnAgain = func(l config.Launch) { w.rejoin(l, false) }
	c.OnEdit = func(l config.Launch) { w.rejoin(l, true) }
	c.OnCancel = w.leave
	c.OnBrowse = w.browse
	c.OnDisconnect = w.part
	c.OnCopy = w.copy
	c.OnVisit = func(s client.Server) { w.visit(s.ID, "") }
	c.OnForget = w.forget
	c.OnRestart, c.OnOpen, c.OnReplace = w.restart, w.shell.Reveal, w.replace
	c.OnAllow = w.offer
	c.OnSet = func(s client.Server) {
		if w.visit(s.ID, ""); w.station != nil {
			w.station.amend()
		}
	}
	c.OnLink, c.OnLookIn = w.shell.follow, w.lookIn
	c.OnLog = func(s client.Server) { w.visitAt(s.ID, serverLog) }
	c.recent = w.settings.Recent
	w.connector = c
	c.show(w.servers)
	w.open(c.Sheet)
}

// leave closes the sheet, and gives up a connection that is being made.
func (w *Window) leave() {
	if w.joining != nil {
		w.joining()
		w.joining = nil
	}
	if c := w.connector; c != nil {
		w.connector = nil
		c.spin.Turn(false)
		c.count(false)
		w.shut(c.Sheet)
	}
}

// rejoin connects a server of before, or has it changed first. So it is, too, if
// a secret of its environment is not to be had any more.
func (w *Window) rejoin(l config.Launch, edit bool) {
	c := w.connector
	w.begin(func() {
		env, missing := w.secrets.Fill(l.Env)
		w.post(func() {
			if w.connector != c {
				return
			}
			l.Env = env
			if !edit && len(missing) == 0 {
				w.join(l)
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
func (w *Window) join(l config.Launch) {
	c := w.connector
	ctx, cancel := context.WithCancel(w.ctx)
	w.joining = cancel
	c.trying(l)
	c.busy(true)
	start := consent.Remembered(w.settings, client.Config{Path: l.Path, Args: l.Args, Dir: l.Dir, Env: config.Environ(l.Env)})
	w.begin(func() {
		defer cancel()
		w.supersede(ctx, l)
		id, err := w.options.Host.Connect(ctx, start)
		var s client.Server
		for _, have := range w.options.Host.Snapshot().Servers {
			if have.ID == id {
				s = have
			}
		}
		w.post(func() {
			if err == nil {
				l.Path = config.Absolute(l.Path)
				w.keepLaunch(l, func(kept config.Launch) { w.change(w.settings.Used(kept)) })
			}
			w.joined(c, s, err)
		})
	})
}

// supersede takes off the list what runs the same and failed: with what is filled
// in now, it is the same server to the user. To the host it may be another.
func (w *Window) supersede(ctx context.Context, l config.Launch) {
	for _, s := range w.options.Host.Snapshot().Servers {
		if s.Status == client.Failed && l.Same(config.Launch{Path: s.Path, Args: s.Args}) {
			_ = w.options.Host.Disconnect(ctx, s.ID) // it goes as soon as its process has
		}
	}
}

// forget takes a server off those of before.
func (w *Window) forget(l config.Launch) {
	w.change(w.settings.Forget(l))
	if c := w.connector; c != nil {
		c.recent = w.settings.Recent
		c.show(w.servers)
	}
}

// joined shows how a connection went. The sheet may have been closed since.
func (w *Window) joined(c *connector, s client.Server, err error) {
	if w.connector != c {
		return
	}
	w.joining = nil
	c.busy(false)
	switch {
	case errors.Is(err, context.Canceled):
	case err != nil:
		if !slices.ContainsFunc(w.options.Host.Snapshot().Servers, c.lost) {
			c.fail(err) // nothing was started; else what is seen of it says all
		}
		c.Body.Scroll.ScrollToTop()
		kit.Focus(c.path)
	default:
		w.leave()
		w.toasts.Say("check", fmt.Sprintf("Connected to %s", view.ServerLabel(s)))
	}
}

// part disconnects a server, or takes one that failed off the list.
func (w *Window) part(s client.Server) {
	w.begin(func() {
		err := w.options.Host.Disconnect(w.ctx, s.ID)
		w.post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				w.alert(err)
			case err == nil && s.Status != client.Failed:
				w.toasts.Say("check", fmt.Sprintf("Disconnected from %s", s.Name))
			}
		})
	})
}

// replace has the user look for another script in place of a server's, whose other
// settings stay.
func (w *Window) replace(s client.Server) {
	if l, _, ok := w.launchOf(s.ID); ok {
		w.connector.fill(l)
	}
	w.browse()
}

// browse has the user look for a script.
func (w *Window) browse() {
	c := w.connector
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
	}, w.win)
	d.SetFilter(storage.NewExtensionFileFilter([]string{".py", ".js", ".go"}))
	d.SetConfirmText("Choose")
	d.Resize(fyne.NewSize(900, 620))
	d.Show()
}
