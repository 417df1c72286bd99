package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"goated/client"
	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// needs yields what servers lack, each permission once in the life of the program.
func (a *app) needs(each func(client.Server, sandbox.Permission)) {
	for _, s := range a.host.Snapshot().Servers {
		for _, p := range a.requests.New(s.ID, s) {
			if p = p.Resolved(); a.requests.Ask(s.ID, config.Launch{}, p) {
				each(s, p)
			}
		}
	}
}

// tellNeeds says which flags would give the servers what they lack.
func (a *app) tellNeeds(w io.Writer) {
	a.needs(func(s client.Server, p sandbox.Permission) {
		if flag := view.Flag(p); flag != "" {
			fmt.Fprintf(w, "%s, and its sandbox blocked it. To allow it, use --server %s %s\n", view.Wants(s.Name, p), view.ShellWord(view.Pasted(s)), flag)
			if danger := view.Danger(p, a.host.Private(), sandbox.Probe().Guards); danger != "" {
				fmt.Fprintln(w, danger)
			}
		}
	})
}

// tellUnconfined says which servers nothing holds.
func (a *app) tellUnconfined(w io.Writer) {
	for _, s := range a.host.Snapshot().Servers {
		if s.Status == client.Connected && view.ShieldOf(s) == view.ShieldNone && !s.Bundled {
			fmt.Fprintf(w, "%s is not sandboxed: it can read and change all your files, use the network, and start and stop programs.\n", s.Name)
		}
	}
}

// askFor asks the person for what servers lack, restarts those that get it, and
// reports whether any did.
func (a *app) askFor(ctx context.Context, p *person) (changed bool) {
	private := a.host.Private()
	a.needs(func(s client.Server, need sandbox.Permission) {
		if !p.permit(ctx, s, need, view.Danger(need, private, sandbox.Probe().Guards)) {
			return
		}
		changed = true
		installed := adding.Packages(p.t.out, s.Name, need.Kind == sandbox.ToInstall)
		err := consent.Give(ctx, a.host, s.ID, need)
		if installed(err); err != nil {
			fmt.Fprintln(p.t.out, sentence(err))
			return
		}
		for _, now := range a.host.Snapshot().Servers {
			if now.ID == s.ID {
				fmt.Fprintf(p.t.out, "%s is available now\n", view.ServerLabel(now))
			}
		}
	})
	return changed
}

// permit asks whether a server may do something while goated runs. A yes to what
// is dangerous has to be written in full.
func (p *person) permit(ctx context.Context, s client.Server, need sandbox.Permission, danger string) bool {
	about := view.Wants(s.Name, need) + ".\n"
	if danger == "" {
		about += view.Means(need)
	} else {
		about += danger
	}
	if kept := view.Kept(need, sandbox.Probe().Guards); kept != "" {
		about += "\n" + kept
	}
	if danger != "" {
		return p.says(ctx, about, "Allow it until goated quits? [yes/N] ") == "yes"
	}
	return p.agrees(ctx, about, "Allow it until goated quits? [y/N] ")
}

// unconfined asks whether a server may run where nothing can confine it.
func (p *person) unconfined(ctx context.Context, name string, _ client.Config) bool {
	return p.agrees(ctx, fmt.Sprintf("This system can't sandbox %s. It can do everything that you can: read and change all your files, use the network, and start and stop programs.", name), "Run it? [y/N] ")
}

// agrees asks for a yes; everything else is a no.
func (p *person) agrees(ctx context.Context, about, question string) bool {
	answer := p.says(ctx, about, question)
	return answer == "y" || answer == "yes"
}

// says asks for a word; empty where there is none.
func (p *person) says(ctx context.Context, about, question string) string {
	free, err := p.take(ctx)
	if err != nil {
		return ""
	}
	defer free()
	fmt.Fprintf(p.t.out, "\n%s\n", about)
	answer, err := p.t.line(ctx, question)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(answer))
}
