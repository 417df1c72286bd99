package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// permitGuard is how long a question about permissions takes no answer after it
// has come up: it comes by itself, while somebody types.
const permitGuard = 500 * time.Millisecond

// maxRequests is how many permissions one server may ask for in a run. Its page
// shows the others.
const maxRequests = 4

// A permissionRequest is a server that wants to do more than it may.
type permissionRequest struct {
	name, command string
	what          sandbox.Permission
	unconfined    bool // it is about running where nothing can confine it
	chosen        bool // the person began it, on a page or a card
}

// A permitted is the answer. never means not to ask again.
type permitted struct{ allow, never bool }

// askPermission asks whether a server may do something. danger is the warning to
// show; empty: none. A question that can't be asked is answered with no.
func askPermission(ctx context.Context, ask func(context.Context, shell.Question) (any, error), r permissionRequest, danger string) permitted {
	answer, err := ask(ctx, shell.Question{Guard: permitGuard, Draw: func(_ *shell.Shell, behind int, answer func(any)) *kit.Sheet {
		return newPermissionPrompt(r, danger, behind, answer)
	}})
	if err != nil {
		return permitted{}
	}
	p, _ := answer.(permitted)
	return p
}

// askPermissions asks for what the servers lack, each permission once.
func (ps *serverPages) askPermissions(s client.Snapshot) {
	for _, srv := range s.Servers {
		l, _, ok := ps.launchOf(srv.ID)
		if !ok {
			continue
		}
		for _, p := range ps.requests.New(launchLine(l), srv) {
			ps.askPermission(srv, l, p)
		}
	}
}

// askPermission asks for one permission, unless the user was asked before.
func (ps *serverPages) askPermission(s client.Server, l config.Launch, p sandbox.Permission) {
	ps.Go(func() {
		p := p.Placed() // looks at the disk
		ps.Post(func() {
			if !ps.requests.Ask(launchLine(l), ps.Settings.Known(l), p) {
				return
			}
			ps.Go(func() {
				got := askPermission(ps.Ctx, ps.question, permissionRequest{name: s.Name, command: filepath.Base(s.Path), what: p}, ps.danger(p))
				ps.Post(func() {
					switch {
					case got.allow:
						ps.allow(s.ID, p)
					case got.never:
						ps.decide(l, consent.Refuse(p, ps.Now()))
					}
				})
			})
		})
	})
}

// newPermissionPrompt draws a request. The focus begins on the button that gives
// nothing.
func newPermissionPrompt(b permissionRequest, danger string, behind int, answer func(any)) *kit.Sheet {
	title, yes := view.Wants(b.name, b.what), "Allow for this server"
	about := kit.NewText(view.Means(b.what), 14, 21, kit.ColorText)
	remark := "It was refused, and may have failed for that. Allowed, it starts anew, and it is remembered; you take it back on its page. What a server says it needs is its own word."
	if b.unconfined {
		title, yes = fmt.Sprintf("Run %s without a sandbox?", b.name), "Run it"
		about = kit.NewText("This system can't confine it. It may do whatever you may: read and change all your files, use the network, start and stop programs.", 14, 21, kit.ColorText)
		remark = "Run it only if you trust everybody who wrote a part of it. It is asked once, and remembered."
	}
	if b.chosen {
		remark = "Allowed, it starts anew, and it is remembered; you take it back on its page."
	}
	never := kit.NewOption(kit.Checkbox, "Don't ask again for this", false, nil)
	no := kit.NewButton(kit.Outline, "", "Not now", func() { answer(permitted{never: never.On && !b.unconfined}) })
	allow := kit.NewButton(kit.Primary, "shield", yes, func() { answer(permitted{allow: true}) })
	parts := []fyne.CanvasObject{about, newServerFacts(b), kit.NewText(remark, 13, 20, kit.ColorMuted)}
	if danger != "" {
		parts[0] = newDanger(danger)
		no = kit.NewButton(kit.Primary, "", "Not now", no.OnTapped)
		allow = kit.NewButton(kit.Outline, "alert", "Allow it all the same", allow.OnTapped)
		allow.Firm = true
	}
	if !b.unconfined && !b.chosen {
		parts = append(parts, never.Root)
	}
	more := kit.NewLabel(shell.Waiting(behind), 12, kit.ColorFaint).Elided()
	s := kit.NewSheet(560, title, kit.Vertical(14, parts...), kit.Horizontal(8, more, more, no, allow))
	s.First = no
	s.OnClose = func() { answer(permitted{}) }
	return s
}

func newServerFacts(b permissionRequest) fyne.CanvasObject {
	words := []string{"Server", b.name, "Script", b.command}
	if b.what.Path != "" {
		words = append(words, "Path", view.Tilde(b.what.Path))
	}
	if b.what.Host != "" {
		words = append(words, "Host", b.what.Host)
		if h, err := sandbox.ParseHost(b.what.Host); err == nil {
			words = append(words, "Ports", h.Ports())
		}
	}
	return kit.Facts(words...)
}
