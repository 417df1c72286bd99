package servers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// launchOf returns a server's launch in the settings and its configuration in the host. ok is
// false for goated's own servers and for a removed server.
func (ps *Pages) launchOf(id string) (l config.Launch, c client.Config, ok bool) {
	if ps.Host == nil {
		return l, c, false
	}
	c, ok = ps.Host.Config(id)
	if !ok || c.Bundled {
		return l, c, false
	}
	return consent.LaunchOf(c), c, true
}

// Decide saves a decision about a server.
func (ps *Pages) Decide(l config.Launch, change func(*config.Launch)) {
	ps.storeSecrets(l, func(kept config.Launch) {
		ps.Change(ps.Settings.ChangeServer(kept, change))
		if ps.Connector != nil {
			ps.Connector.recent = ps.Settings.Recent
		}
	})
}

// allow gives a server a permission, saves it, and restarts the server.
func (ps *Pages) allow(id string, p sandbox.Permission) {
	l, _, ok := ps.launchOf(id)
	if !ok {
		return
	}
	if c := ps.Connector; c != nil && c.tried.Same(l) { // the user agreed to it on the sheet, whose server failed
		ps.Decide(l, consent.AllowAll(c.tried.Allowed, ps.Now()))
	}
	ps.Decide(l, consent.Allow(p, ps.Now()))
	ps.restartBy(id, func() error { return consent.AddPermission(ps.Ctx, ps.Host, id, p) }, ps.On.Permitted)
}

// revoke removes a permission from every server that runs as l, and restarts those servers.
func (ps *Pages) revoke(l config.Launch, p sandbox.Permission) {
	ps.Decide(l, consent.Revoke(p))
	for _, id := range consent.RunningIDs(ps.Snapshot.Servers, l) {
		ps.restartBy(id, func() error { return consent.RemovePermission(ps.Ctx, ps.Host, id, p) }, nil)
	}
}

// confine turns the sandbox of a server on or off, saves that, and restarts the
// server.
func (ps *Pages) confine(l config.Launch, on bool) {
	ps.Decide(l, consent.Confine(on))
	for _, id := range consent.RunningIDs(ps.Snapshot.Servers, l) {
		ps.restartBy(id, func() error { return ps.Host.Confine(ps.Ctx, id, on) }, nil)
	}
}

// restartBy restarts a server by calling do, and shows the outcome unless told has shown it.
// told may be nil. The card of a failed server shows the reason.
func (ps *Pages) restartBy(id string, do func() error, told func(client.Server) bool) {
	s := client.Server{ID: id, Name: id}
	if i := slices.IndexFunc(ps.Snapshot.Servers, func(s client.Server) bool { return s.ID == id }); i >= 0 {
		s = ps.Snapshot.Servers[i]
	}
	ps.Go(func() {
		err := do()
		ps.Post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				ps.Alert(err)
			case err == nil:
				ps.restarted(s)
				if told != nil && told(s) {
					return
				}
				ps.Toasts.Say("check", fmt.Sprintf("%s restarted", s.Name))
			}
		})
	})
}

// restarted runs after a successful restart; s is the state before it. If the connect sheet
// shows the failure of s, restarted closes the sheet and saves s as after a connection. It also
// saves a server that failed elsewhere and is not saved yet, but not a server of a linked file.
func (ps *Pages) restarted(s client.Server) {
	if ps.connecting != nil {
		return
	}
	shown := ps.Connector != nil && ps.Connector.fromForm(s)
	if shown {
		ps.closeConnect()
	}
	l, _, ok := ps.launchOf(s.ID)
	saved := func() bool { return slices.ContainsFunc(ps.Settings.Launch, l.Same) }
	if ok && (shown || s.Status == client.Failed && !saved()) && (saved() || !ps.isLinked(s.ID, l)) {
		save(ps, l)
	}
}

// Unconfine asks whether a server may run without a sandbox. After a yes, it turns the sandbox
// off.
func (ps *Pages) Unconfine(s client.Server) {
	l, _, known := ps.launchOf(s.ID)
	if !known {
		l = consent.LaunchOfServer(s)
	}
	var sh *kit.Sheet
	opened := ps.Now()
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { ps.Sheets.Shut(sh) })
	run := kit.NewButton(kit.Primary, "shield-off", "Run without the sandbox", func() {
		if ps.Now().Sub(opened) < shell.GuardTime {
			return
		}
		ps.Sheets.Shut(sh)
		ps.confine(l, false)
	})
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	sh = kit.NewSheet(540, fmt.Sprintf("Run %s without the sandbox?", s.Name), kit.Vertical(14,
		kit.NewText("It can then do everything that you can: read, change and delete all your files, use the network, see your keys, and start and stop programs.", 14, 21, kit.ColorText),
		kit.NewText("Do this only if you trust everyone who wrote a part of it. goated remembers it. You can undo it on its Permissions page or in Settings > Approvals.", 14, 21, kit.ColorMuted)),
		kit.Horizontal(8, gap, gap, cancel, run))
	sh.First = cancel
	sh.OnClose = func() { ps.Sheets.Shut(sh) }
	ps.Sheets.Open(sh)
}

// Grants lists the permissions of all servers. redo redraws the list.
func (ps *Pages) Grants(redo func()) fyne.CanvasObject {
	all := kit.Vertical(16)
	for _, l := range ps.Settings.DecidedServers() {
		rows := kit.Vertical(8)
		for _, p := range l.Allowed {
			rows.Add(ps.permissionRow(p, l.Allowed, func() { ps.revoke(l, p); redo() }))
		}
		addUnsandboxed := func(text string, revoke func()) {
			words := kit.NewLabel(text, 13, kit.ColorText).Elided()
			rows.Add(kit.Boxed(kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12), kit.Margin{Top: 6, Right: 8, Bottom: 6, Left: 14}, kit.Horizontal(10, words, kit.NewIcon("shield-off", 16, kit.ColorBad), words,
				kit.NewButton(kit.Ghost, "trash", "", func() { revoke(); redo() }).Small())))
		}
		if l.NoSandbox {
			addUnsandboxed("Run without the sandbox", func() { ps.confine(l, true) })
		}
		if l.Unconfined {
			addUnsandboxed("Run without a sandbox where the system has none", func() {
				ps.Decide(l, consent.Unconfine(false))
			})
		}
		if len(rows.Objects) > 0 {
			all.Add(kit.Vertical(6, kit.NewLabel(LaunchLine(l), 12, kit.ColorMuted).Mono().Elided(), rows))
		}
	}
	if len(all.Objects) == 0 {
		all.Add(kit.NewEmptyNote("shield-check", "Nothing. Each server has its own folder and no network."))
	}
	return all
}

// LaunchLine returns the command of a server on one line. It abbreviates the home folder to ~.
func LaunchLine(l config.Launch) string {
	return view.ServerCommand(client.Server{Path: l.Subject(), Args: l.Args})
}
