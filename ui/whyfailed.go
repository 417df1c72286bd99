package ui

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/consent"
	"goated/internal/sandbox"
	"goated/internal/wording"
	"goated/ui/view"
)

// A whyFailed is a card that tells why a server does not run: what happened, the
// likely cause, the command, what the server wrote, and what mends it. Where
// goated can mend it itself, there is a button; what is nil has none.
type whyFailed struct {
	OnCopy    func(string)
	OnAllow   func(sandbox.Permission)
	OnRestart func()
	OnBrowse  func()
	OnOpen    func(path string)
	OnEdit    func() // its environment and arguments
	OnLog     func() // all that it wrote
	OnLink    func(address string)
	OnLookIn  func(dir string) // for programs, and then restart it
	OnResize  func()

	folded *bool // what it wrote is not shown; the card may be drawn anew
}

// tailShown is how much of what a server wrote is shown, of its end.
const tailShown = 20

// card draws it. s may be of a server that never came to the list.
func (f whyFailed) card(s client.Server, err error) fyne.CanvasObject {
	title := newText(view.Sentence(err.Error()), 13, 20, colorText)
	title.style.Bold = true
	parts := []fyne.CanvasObject{title}
	for _, note := range []string{wording.Why(err), wording.Advice(err)} {
		if note != "" {
			parts = append(parts, newText(note, 13, 20, colorMuted))
		}
	}
	if note := view.QuarantineNote(err); note != "" {
		parts = append(parts, newText(note, 13, 20, colorWarn))
	}
	if fix := view.Fix(err); fix != "" {
		parts = append(parts, inset(margin{4, 0, 2, 0}, f.listing("Run this in a terminal to fix it", fix)))
	}
	if acts := f.acts(s, err); len(acts) > 0 {
		parts = append(parts, inset(margin{4, 0, 2, 0}, container.New(flow{gap: 8, least: chipSize()}, acts...)))
	}
	if more := f.more(s, err); more != nil {
		parts = append(parts, more)
	}
	column := vertical(4, parts...)
	return boxed(newPanel(colorBadSoft, colorNone, 10), margin{11, 14, 12, 14},
		container.New(row{gap: 10, flex: column, top: true}, sized(16, 20, newGlyph("alert", 16, colorBad)), column))
}

// acts are the buttons.
func (f whyFailed) acts(s client.Server, err error) (acts []fyne.CanvasObject) {
	add := func(kind buttonKind, icon, text string, do func()) {
		if do != nil {
			acts = append(acts, newButton(kind, icon, text, do).small())
		}
	}
	if p, ok := consent.Lacked(s, ""); ok && f.OnAllow != nil {
		add(outline, "shield", view.AllowLabel(p), func() { f.OnAllow(p) })
	}
	wrong := view.WrongScript(s, err)
	if wrong {
		add(outline, "folder", "Browse…", f.OnBrowse)
	}
	for _, a := range view.Diagnosed(err).Actions() {
		label := wording.Label(a)
		switch a.Kind {
		case diagnose.SetVariable, diagnose.EditLaunch:
			if !wrong {
				add(outline, "pencil", label, f.OnEdit)
			}
		case diagnose.LookIn:
			add(outline, "retry", label, with(f.OnLookIn, a.Target))
		case diagnose.OpenPage:
			add(outline, "external", fmt.Sprintf("Go to %s", view.Host(a.Target)), with(f.OnLink, a.Target))
		case diagnose.OpenFile:
			add(outline, "external", label, with(f.OnOpen, a.Target))
		case diagnose.Report:
			add(outline, "list", "Open its log", f.OnLog)
			add(outline, "copy", "Copy a report", func() { f.copied(view.Report(s, err)) })
		}
	}
	if s.ID != "" {
		text := "Restart"
		if !s.RetryAt.IsZero() {
			text = "Restart now"
		}
		add(outline, "retry", text, f.OnRestart)
	}
	return acts
}

// with returns do with its argument; nil if do is nil.
func with(do func(string), argument string) func() {
	if do == nil {
		return nil
	}
	return func() { do(argument) }
}

// more is the command, how it ended and what it wrote, behind a button.
func (f whyFailed) more(s client.Server, err error) fyne.CanvasObject {
	command, lines := view.CommandLine(err), s.Stderr
	if len(lines) == 0 {
		lines = view.Stderr(err)
	}
	if command == "" && len(lines) == 0 {
		return nil
	}
	var parts []fyne.CanvasObject
	if len(lines) > 0 {
		all := strings.Join(lines, "\n")
		body := newText(strings.Join(lines[max(0, len(lines)-tailShown):], "\n"), 12, 18, colorText)
		body.style.Monospace = true
		parts = append(parts, newListing("Last lines of its output", body, func() { f.copied(all) }))
	}
	if command != "" {
		name := "Command"
		if exit := view.ExitNote(err); exit != "" {
			name = fmt.Sprintf("Command · %s", exit)
		}
		parts = append(parts, f.listing(name, command))
	}
	details := vertical(8, parts...)
	folded := f.folded
	if folded == nil {
		yes := true
		folded = &yes
	}
	var head *button
	head = newButton(ghost, "", "Details", func() {
		*folded = !*folded
		fold(head, details, *folded)
		if f.OnResize != nil {
			f.OnResize()
		}
	}).small()
	fold(head, details, *folded)
	gap := newLabel("", 12, colorFaint).elided()
	return vertical(4, inset(margin{0, 0, 0, -9}, horizontal(0, gap, head, gap)), details)
}

// fold hides what is behind a button, or shows it.
func fold(head *button, what fyne.CanvasObject, folded bool) {
	if folded {
		head.setIcon("chevron-right")
		what.Hide()
		return
	}
	head.setIcon("chevron-down")
	what.Show()
}

func (f whyFailed) listing(name, text string) fyne.CanvasObject {
	body := newText(text, 12, 18, colorText)
	body.style.Monospace = true
	return newListing(name, body, func() { f.copied(text) })
}

func (f whyFailed) copied(text string) {
	if f.OnCopy != nil {
		f.OnCopy(text)
	}
}
