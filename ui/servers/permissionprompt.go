package servers

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/launch"
	"goated/internal/safetext"
	"goated/internal/sandbox"
	"goated/ui/approval"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// MaxRequests is the maximum number of permissions that goated asks about for one server in a
// run. The server's page shows the others.
const MaxRequests = 4

// A PermissionRequest describes a permission that a server lacks.
type PermissionRequest struct {
	ID            string // the server's ID; empty: no conversation shows the question
	Name, Command string
	What          sandbox.Permission
	Unconfined    bool // asks to run on a system without a sandbox
	guards        bool // see [Pages]
	chosen        bool // the user requested it on a page or a card
	waits         bool // a call waits for the answer
}

// A permissionAnswer is the user's answer. never means that goated does not ask again.
type permissionAnswer struct{ Allow, never bool }

// AskPermission asks whether a server may do something, and blocks until the user answers.
// danger is the warning to show, or "" for none. If ask fails, the answer is no.
func AskPermission(ctx context.Context, ask func(context.Context, shell.Question) (any, error), r PermissionRequest, danger string) permissionAnswer {
	q := shell.Question{Guard: shell.GuardTime, Listed: r.listed(), Draw: func(_ *shell.Shell, count *shell.Counter, answer func(any)) *kit.Sheet {
		return newPermissionPrompt(r, danger, count, answer)
	}}
	if r.ID != "" {
		q.Server, q.Card = r.ID, func(sh *shell.Shell, count *shell.Counter, answer func(any)) shell.Card {
			return newPermissionCard(sh, r, danger, count, answer)
		}
	}
	answer, err := ask(ctx, q)
	if err != nil {
		return permissionAnswer{}
	}
	p, _ := answer.(permissionAnswer)
	return p
}

// listed returns the entry of the request in the list of waiting questions.
func (r PermissionRequest) listed() shell.Entry {
	what := view.AllowQuestion(r.Name, r.What)
	if r.Unconfined {
		what = "Run " + r.Name + " without a sandbox?"
	}
	return shell.Entry{Icon: "shield", Who: "Permission of " + safetext.Name(r.Name), What: safetext.Cut(safetext.OneLine(what), 90)}
}

// askPermissions asks once for each permission that the servers lack.
func (ps *Pages) askPermissions(s client.Snapshot) {
	for _, srv := range s.Servers {
		l, _, ok := ps.launchOf(srv.ID)
		if !ok {
			continue
		}
		for _, p := range ps.Requests.NewlyMissing(LaunchLine(l), srv) {
			ps.askPermission(srv, l, p)
		}
	}
}

// askPermission asks for a permission unless it has asked before.
func (ps *Pages) askPermission(s client.Server, l config.Launch, p sandbox.Permission) {
	ps.Go(func() {
		p := p.Resolved() // reads the file system
		ps.Post(func() {
			if !ps.Requests.Ask(LaunchLine(l), ps.Settings.Saved(l), p) {
				return
			}
			ps.Go(func() {
				defer ps.Requests.Answered(LaunchLine(l), p)
				got := AskPermission(ps.Ctx, ps.Question, PermissionRequest{ID: s.ID, Name: s.Name, Command: programOf(s), What: p, guards: ps.Guards}, ps.Warning(p))
				ps.Post(func() {
					switch {
					case got.Allow:
						ps.allow(s.ID, p)
					case got.never:
						ps.Decide(l, consent.Refuse(p, ps.Now()))
					}
				})
			})
		})
	})
}

// Permit asks whether a server may do p while one of its calls waits. The question appears in
// the conversation of the call. Permit blocks until the user answers or ctx ends. After ctx
// ends, the question stays, and a yes restarts the server. ask shows the question, and calls
// seen when it is visible. If ask returns without calling seen, the user has seen no question.
func Permit(ctx context.Context, ps *Pages, ask func(ctx context.Context, q shell.Question, seen func()) (any, error), from client.Asker, p sandbox.Permission, held func()) bool {
	var l config.Launch
	var danger string
	r := PermissionRequest{ID: from.ID, Name: from.Name, What: p, waits: true}
	for _, s := range ps.Host.Snapshot().Servers { // the window may show an older snapshot
		if s.ID == from.ID {
			r.Command = programOf(s)
		}
	}
	may := make(chan bool, 1)
	ps.Post(func() {
		var ok bool
		if l, _, ok = ps.launchOf(from.ID); ok {
			ok = ps.Requests.MayHold(LaunchLine(l), ps.Settings.Saved(l), p)
		}
		danger, r.guards = ps.Warning(p), ps.Guards
		may <- ok
	})
	select {
	case ok := <-may:
		if !ok {
			return false
		}
	case <-ctx.Done():
		return false
	}
	var card *approval.Permission // belongs to the UI goroutine
	return consent.PendingQuestion{
		Ask: func(seen func()) bool {
			q := shell.Question{Server: r.ID, Card: func(sh *shell.Shell, count *shell.Counter, answer func(any)) shell.Card {
				ps.Requests.Held(LaunchLine(l), p)
				card = newPermissionCard(sh, r, danger, count, answer)
				return card
			}}
			answer, _ := ask(ps.Ctx, q, seen)
			got, _ := answer.(permissionAnswer)
			ps.Requests.Answered(LaunchLine(l), p)
			ps.Post(func() {
				switch {
				case got.Allow:
					ps.Decide(l, consent.Allow(p, ps.Now()))
				case got.never:
					ps.Decide(l, consent.Refuse(p, ps.Now()))
				}
			})
			return got.Allow
		},
		Late: func() { ps.Post(func() { ps.allow(r.ID, p) }) },
		Over: func() { ps.Post(func() { card.Over() }) },
	}.Wait(ctx, ps.Go, held)
}

// newPermissionPrompt draws a request on a sheet. The button that refuses has the initial
// focus.
func newPermissionPrompt(b PermissionRequest, danger string, count *shell.Counter, answer func(any)) *kit.Sheet {
	title, yes := view.ShortAllowQuestion(b.Name, b.What), "Allow for this server"
	about := kit.NewText(view.ConsequenceText(b.What), 14, 21, kit.ColorText)
	remark := "The sandbox blocked this, and the server may have failed because of it. If you allow it, the server restarts. goated remembers it until you remove it on the server's page. A server's own words about its needs are not checked."
	if b.Unconfined {
		title, yes = fmt.Sprintf("Run %s without a sandbox?", b.Name), "Run it"
		about = kit.NewText("This system can't sandbox it. It can do everything that you can: read and change all your files, use the network, and start and stop programs.", 14, 21, kit.ColorText)
		remark = "Run it only if you trust everyone who wrote a part of it. goated asks once and remembers your answer."
	}
	if b.chosen {
		remark = "If you allow this, the server restarts. goated remembers it until you remove it on the server's page."
	}
	never := kit.NewOption(kit.Checkbox, "Don't ask again for this", false, nil)
	no := kit.NewButton(kit.Outline, "", "Not now", func() { answer(permissionAnswer{never: never.On && !b.Unconfined}) })
	allow := kit.NewButton(kit.Primary, "shield", yes, func() { answer(permissionAnswer{Allow: true}) })
	parts := []fyne.CanvasObject{about, newServerFacts(b), kit.NewText(remark, 13, 20, kit.ColorMuted)}
	if danger != "" {
		parts[0] = newWarning(danger)
		no = kit.NewButton(kit.Primary, "", "Not now", no.OnTapped)
		allow = kit.NewButton(kit.Outline, "alert", "Allow anyway", allow.OnTapped)
		allow.IgnoreEnter = true
	}
	if kept := b.protectedText(danger); kept != "" && !b.Unconfined {
		parts = slices.Insert(parts, 1, fyne.CanvasObject(kit.NewText(kept, 13, 20, kit.ColorMuted)))
	}
	if !b.Unconfined && !b.chosen {
		parts = append(parts, never.Root)
	}
	s := kit.NewSheet(560, title, kit.Vertical(14, parts...), shell.Foot(count, no, allow))
	s.First = no
	s.OnClose = func() { answer(permissionAnswer{}) }
	return s
}

// newPermissionCard draws a request in the conversation that calls the server.
func newPermissionCard(sh *shell.Shell, b PermissionRequest, danger string, count *shell.Counter, answer func(any)) *approval.Permission {
	return approval.NewPermission(sh, approval.PermissionOptions{
		Wants: view.AllowQuestion(b.Name, b.What), Means: view.ConsequenceText(b.What), Kept: b.protectedText(danger), Warning: danger, Program: b.Command,
		Icon: view.PermissionIcon(b.What), Flag: view.AllowFlag(b.What), Waits: b.waits, Count: count,
		Answer: func(allow, never bool) { answer(permissionAnswer{allow, never}) },
	})
}

// protectedText describes what stays protected if the user allows the request. It returns "" if a
// warning covers this.
func (b PermissionRequest) protectedText(danger string) string {
	if danger != "" && !b.guards {
		return ""
	}
	return view.ProtectedText(b.What, b.guards)
}

func newServerFacts(b PermissionRequest) fyne.CanvasObject {
	words := []string{"Server", b.Name, "Runs", b.Command}
	if b.What.Path != "" {
		words = append(words, "Path", view.Tilde(b.What.Path))
	}
	if b.What.Host != "" {
		words = append(words, "Host", b.What.Host)
		if h, err := sandbox.ParseHost(b.What.Host); err == nil {
			words = append(words, "Ports", h.Ports())
		}
	}
	return kit.Facts(words...)
}

// programOf returns a short name of a server's code for a question: its package, its image, or
// the file that it runs.
func programOf(s client.Server) string {
	l := consent.LaunchOfServer(s)
	switch o, _ := launch.Of(l.Path, l.Command, l.URL, l.Args, l.Dir, launch.Here(nil)); o.Source {
	case launch.NPM, launch.PyPI, launch.JSR, launch.NuGet, launch.Maven, launch.Container, launch.GoModule, launch.Git:
		return o.Package
	}
	return filepath.Base(s.Path)
}
