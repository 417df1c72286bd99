package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/ui/kit"
)

// launchOf returns how the settings write down a server, and how the host runs
// it; false for goated's own servers and for a server that is gone.
func (w *Window) launchOf(id string) (l config.Launch, c client.Config, ok bool) {
	if w.options.Host == nil {
		return l, c, false
	}
	c, ok = w.options.Host.Config(id)
	if !ok || c.Bundled {
		return l, c, false
	}
	return consent.LaunchOf(c), c, true
}

// decide keeps a decision about a server.
func (w *Window) decide(l config.Launch, change func(*config.Launch)) {
	w.keepLaunch(l, func(kept config.Launch) {
		w.change(w.settings.Decide(kept, change))
		if w.connector != nil {
			w.connector.recent = w.settings.Recent
		}
	})
}

// allow gives a server a permission, keeps it, and restarts the server.
func (w *Window) allow(id string, p sandbox.Permission) {
	l, _, ok := w.launchOf(id)
	if !ok {
		return
	}
	w.decide(l, consent.Allow(p, w.now()))
	w.again(id, func() error { return consent.Give(w.ctx, w.options.Host, id, p) })
}

// revoke takes a permission back from every server that runs as l, and restarts
// those servers.
func (w *Window) revoke(l config.Launch, p sandbox.Permission) {
	w.decide(l, consent.Revoke(p))
	for _, id := range consent.Running(w.servers.Servers, l) {
		w.again(id, func() error { return consent.Take(w.ctx, w.options.Host, id, p) })
	}
}

// confine runs a server in its sandbox, or without one, from now on.
func (w *Window) confine(l config.Launch, on bool) {
	w.decide(l, consent.Confine(on))
	for _, id := range consent.Running(w.servers.Servers, l) {
		w.again(id, func() error { return w.options.Host.Confine(w.ctx, id, on) })
	}
}

// again restarts a server by do, and tells how that went. One that fails says why
// on its card.
func (w *Window) again(id string, do func() error) {
	s := client.Server{ID: id, Name: id}
	if i := slices.IndexFunc(w.servers.Servers, func(s client.Server) bool { return s.ID == id }); i >= 0 {
		s = w.servers.Servers[i]
	}
	w.begin(func() {
		err := do()
		w.post(func() {
			switch {
			case err != nil && !errors.Is(err, context.Canceled):
				w.alert(err)
			case err == nil:
				w.mended(s)
				w.toasts.Say("check", fmt.Sprintf("%s is running anew", s.Name))
			}
		})
	})
}

// mended closes the sheet that connects servers if it has told why s, as it was,
// does not run: it does now, and is one of those of before.
func (w *Window) mended(s client.Server) {
	c := w.connector
	if c == nil || w.joining != nil || !c.mine(s) {
		return
	}
	w.leave()
	if l, _, ok := w.launchOf(s.ID); ok {
		w.keepLaunch(l, func(kept config.Launch) { w.change(w.settings.Used(kept)) })
	}
}

// unconfine asks whether a server may run without a sandbox, and does it.
func (w *Window) unconfine(s client.Server, l config.Launch) {
	var sh *kit.Sheet
	opened := w.now()
	cancel := kit.NewButton(kit.Outline, "", "Cancel", func() { w.shut(sh) })
	run := kit.NewButton(kit.Primary, "shield-off", "Run without the sandbox", func() {
		if w.now().Sub(opened) < permitGuard {
			return
		}
		w.shut(sh)
		w.confine(l, false)
	})
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	sh = kit.NewSheet(540, fmt.Sprintf("Run %s without the sandbox?", s.Name), kit.Vertical(14,
		kit.NewText("It may then do whatever you may: read, change and delete all your files, use the network, see your keys, start and stop programs.", 14, 21, kit.ColorText),
		kit.NewText("Do it only if you trust everybody who wrote a part of it. It is remembered, and taken back here or in the settings under Approvals.", 14, 21, kit.ColorMuted)),
		kit.Horizontal(8, gap, gap, cancel, run))
	sh.First = cancel
	sh.OnClose = func() { w.shut(sh) }
	w.open(sh)
}
