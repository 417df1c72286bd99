package main

import (
	"context"
	"fmt"
	"io"

	"goated/client"
	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/internal/shellword"
	"goated/internal/terminal"
	"goated/registry"
	"goated/ui/view"
)

// missingPermissions calls each for the permissions that servers lack. It reports each permission
// only once in the lifetime of the program, and skips those for which a call waits.
func (a *app) missingPermissions(each func(client.Server, sandbox.Permission)) {
	for _, s := range a.host.Snapshot().Servers {
		for _, p := range a.requests.NewlyMissing(s.ID, s) {
			if p = p.Resolved(); a.requests.Ask(s.ID, config.Launch{}, p) {
				each(s, p)
				a.requests.Answered(s.ID, p)
			}
		}
	}
}

// tellMissing prints which flags would give the servers the permissions that they lack.
func (a *app) tellMissing(w io.Writer) {
	a.missingPermissions(func(s client.Server, p sandbox.Permission) {
		if flag := view.AllowFlag(p); flag != "" {
			how := "write " + flag + " after its --server" // that may have variables and JSON, which a saved name replaces
			if _, saved := savedAs(a.settings.Launch, s.Name); saved && s.Saved {
				how = "use --server " + shellword.Quote(s.Name) + " " + flag
			}
			fmt.Fprintf(w, "%s, and its sandbox blocked it. To allow it, %s\n", view.AllowQuestion(s.Name, p), how)
			if danger := view.Danger(p, a.host.Private(), sandbox.Probe().Guards); danger != "" {
				fmt.Fprintln(w, danger)
			}
		}
	})
}

// tellUnconfined prints which servers run without a sandbox.
func (a *app) tellUnconfined(w io.Writer) {
	for _, s := range a.host.Snapshot().Servers {
		if s.Status == client.Connected && view.ShieldOf(s) == view.ShieldNone && !s.Bundled {
			fmt.Fprintf(w, "%s is not sandboxed: it can read and change all your files, use the network, and start and stop programs.\n", s.Name)
		}
	}
}

// askFor asks the user for the permissions that servers lack. It restarts the servers that get one,
// and reports whether any did.
func (a *app) askFor(ctx context.Context, p *terminal.Prompter) (changed bool) {
	if free, err := p.Take(ctx); err == nil { // wait for the question of a call that has already ended
		free()
	}
	a.missingPermissions(func(s client.Server, need sandbox.Permission) {
		if p.Permit(ctx, s.Name, need, a.host.Private(), func() {}) {
			changed = true
			give(ctx, a, p, client.Asker{ID: s.ID, Name: s.Name}, need)
		}
	})
	return changed
}

// give gives a server a permission and restarts it.
func give(ctx context.Context, a *app, p *terminal.Prompter, s client.Asker, need sandbox.Permission) {
	adding.Restart(p.Reader.Out, a.host, s, need.Kind == sandbox.ToInstall, func() error { return consent.AddPermission(ctx, a.host, s.ID, need) }, terminal.Sentence)
}

// permits returns a function that asks the user, during a call, whether a server of *a may do
// something. If the user says yes after the call has continued, it restarts the server.
func permits(p *terminal.Prompter, a **app) client.PermitFunc {
	return func(ctx context.Context, from client.Asker, need sandbox.Permission, held func()) bool {
		asked, later := (*a).requests, context.WithoutCancel(ctx)
		return asked.MayHold(from.ID, config.Launch{}, need) && consent.PendingQuestion{
			Ask: func(seen func()) bool {
				defer asked.Answered(from.ID, need)
				return p.Permit(later, from.Name, need, (*a).host.Private(), func() { asked.Held(from.ID, need); seen() })
			},
			Late: func() { give(later, *a, p, from, need) },
		}.Wait(ctx, func(ask func()) { go ask() }, held)
	}
}

// repeats reports whether a call may run a second time, although it may already have done part of
// its work. It may if the user has granted the tool before and the tool declares that it can be
// repeated, or if the user agrees now. --yes allows only one call, so it does not count.
func repeats(ctx context.Context, a *app, from client.Asker, e registry.Entry, args map[string]any) bool {
	if e.Repeatable() && (e.Reads(args) || a.policy.Grants.Has(e)) {
		return true
	}
	return a.repeat != nil && a.repeat(ctx, from, e.Tool.Name)
}

// repeatsAt returns a repeatFunc that asks in the terminal.
func repeatsAt(p *terminal.Prompter) repeatFunc {
	return func(ctx context.Context, from client.Asker, tool string) bool { return p.Repeat(ctx, from.Name, tool) }
}
