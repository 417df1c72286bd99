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
	"goated/ui/view"
)

// permitGuard is how long a question about permissions takes no answer after it
// has come up: it comes by itself, while somebody types.
const permitGuard = 500 * time.Millisecond

// maxRequests is how many permissions one server may ask for in a run. Its page
// shows the others.
const maxRequests = 4

// A begging is a server that wants to do what it may not.
type begging struct {
	name, command string
	what          sandbox.Permission
	unconfined    bool // it is about running where nothing can confine it
	chosen        bool // the person began it, on a page or a card
}

// A permitted is what came of it. Never means that it is not asked again.
type permitted struct{ allow, never bool }

// beg asks whether a server may do something.
func (d *Dialogs) beg(ctx context.Context, b begging) permitted {
	answer, err := d.ask(ctx, b)
	if err != nil {
		return permitted{}
	}
	p, _ := answer.(permitted)
	return p
}

// Unconfined asks whether a server may run although this system can't sandbox
// it. It fits client.Options; what is answered for good is remembered by the
// window.
func (d *Dialogs) Unconfined(ctx context.Context, name string, c client.Config) bool {
	l := consent.LaunchOf(c)
	p := d.beg(ctx, begging{name: name, command: launchLine(l), unconfined: true})
	if p.allow {
		d.mu.Lock()
		remember := d.remember
		d.mu.Unlock()
		if remember != nil {
			remember(l)
		}
	}
	return p.allow
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
	ps.begin(func() {
		p := p.Placed() // looks at the disk
		ps.post(func() {
			if !ps.requests.Ask(launchLine(l), ps.settings.Known(l), p) {
				return
			}
			ps.begin(func() {
				got := ps.prompt(ps.ctx, begging{name: s.Name, command: filepath.Base(s.Path), what: p})
				ps.post(func() {
					switch {
					case got.allow:
						ps.allow(s.ID, p)
					case got.never:
						ps.decide(l, consent.Refuse(p, ps.now()))
					}
				})
			})
		})
	})
}

// newBegging is the sheet of such a question. The focus begins on what gives
// nothing.
func (ps *serverPages) newBegging(b begging, behind int, answer func(any)) *kit.Sheet {
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
	if danger := ps.danger(b.what); danger != "" {
		parts[0] = newDanger(danger)
		no = kit.NewButton(kit.Primary, "", "Not now", no.OnTapped)
		allow = kit.NewButton(kit.Outline, "alert", "Allow it all the same", allow.OnTapped)
		allow.Firm = true
	}
	if !b.unconfined && !b.chosen {
		parts = append(parts, never.Root)
	}
	more := kit.NewLabel(waiting(behind), 12, kit.ColorFaint).Elided()
	s := kit.NewSheet(560, title, kit.Vertical(14, parts...), kit.Horizontal(8, more, more, no, allow))
	s.First = no
	s.OnClose = func() { answer(permitted{}) }
	return s
}

func newServerFacts(b begging) fyne.CanvasObject {
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
	return facts(words...)
}
