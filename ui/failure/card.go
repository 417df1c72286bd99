// Package failure draws why a server does not run: the error, its likely cause, the command, the
// end of its output, and a button for each fix that goated can apply itself.
//
// It owns the card. The pages that show the card run the actions of its buttons. The package must
// not depend on those pages, or on the host.
package failure

import (
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/consent"
	"goated/internal/errtext"
	"goated/internal/sandbox"
	"goated/internal/wording"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/markdown"
)

// A Card explains why a server does not run: the error, the likely cause, the command, the
// server's output and the fix. It has a button for each fix that goated can apply itself. If a
// function is nil, its button is missing.
type Card struct {
	OnCopy    func(string)
	OnAllow   func(sandbox.Permission)
	OnRestart func()
	OnBrowse  func()
	OnOpen    func(path string)
	OnEdit    func() // edits the server's environment and arguments
	OnLog     func() // opens the full log
	OnFree    func() // asks whether the server may run without the sandbox
	OnLink    func(address string)
	OnLookIn  func(dir string)                       // looks for programs in dir and restarts the server
	OnBring   func(command string) fyne.CanvasObject // returns a button that installs a missing program, or nil
	OnResize  func()

	Folded *bool // whether the details are hidden; kept when the card is drawn again
}

// outputLines is how many lines from the end of a server's output are shown.
const outputLines = 20

// Draw draws the card. s is the zero value if the server never joined the list.
func (f Card) Draw(s client.Server, err error) fyne.CanvasObject {
	title := kit.NewText(errtext.PlainSentence(err), 13, 20, kit.ColorText)
	title.Style.Bold = true
	parts := []fyne.CanvasObject{title}
	for _, note := range []string{wording.ReasonText(err), wording.Advice(err)} {
		if note != "" {
			parts = append(parts, kit.NewText(note, 13, 20, kit.ColorMuted))
		}
	}
	if note := view.QuarantineNote(err); note != "" {
		parts = append(parts, kit.NewText(note, 13, 20, kit.ColorWarn))
	}
	if fix := view.FixCommands(err); fix != "" {
		parts = append(parts, kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 2, Left: 0}, f.listing("Run this in a terminal to fix it", fix)))
	}
	if d := view.DiagnosisOf(err); d.Cause == diagnose.ProgramMissing && f.OnBring != nil {
		if button := f.OnBring(d.Args.Subject); button != nil {
			parts = append(parts, kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 2, Left: 0}, button))
		}
	}
	if buttons := f.buttons(s, err); len(buttons) > 0 {
		parts = append(parts, kit.Inset(kit.Margin{Top: 4, Right: 0, Bottom: 2, Left: 0}, container.New(kit.Flow{Gap: 8, Min: kit.ChipSize()}, buttons...)))
	}
	if more := f.details(s, err); more != nil {
		parts = append(parts, more)
	}
	column := kit.Vertical(4, parts...)
	return kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 11, Right: 14, Bottom: 12, Left: 14},
		container.New(kit.Row{Gap: 10, Flex: column, Top: true}, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorBad)), column))
}

// buttons returns the buttons.
func (f Card) buttons(s client.Server, err error) (buttons []fyne.CanvasObject) {
	add := func(kind kit.ButtonKind, icon, text string, do func()) {
		if do != nil {
			buttons = append(buttons, kit.NewButton(kind, icon, text, do).Small())
		}
	}
	if p, ok := consent.FirstMissing(s, ""); ok && f.OnAllow != nil {
		add(kit.Outline, "shield", view.AllowLabel(p), func() { f.OnAllow(p) })
	}
	wrong := view.WrongScript(s, err)
	if wrong {
		add(kit.Outline, "folder", "Browse…", f.OnBrowse)
	}
	for _, a := range view.DiagnosisOf(err).Actions() {
		label := wording.ActionLabel(a)
		switch a.Kind {
		case diagnose.SetVariable, diagnose.EditLaunch:
			if !wrong {
				add(kit.Outline, "pencil", label, f.OnEdit)
			}
		case diagnose.LookIn:
			add(kit.Outline, "retry", label, bind(f.OnLookIn, a.Target))
		case diagnose.OpenPage:
			add(kit.Outline, "external", fmt.Sprintf("Go to %s", markdown.Host(a.Target)), bind(f.OnLink, a.Target))
		case diagnose.OpenFile:
			add(kit.Outline, "external", label, bind(f.OnOpen, a.Target))
		case diagnose.Unconfine:
			add(kit.Outline, "shield-off", label, f.OnFree)
		case diagnose.Report:
			add(kit.Outline, "list", "Open its log", f.OnLog)
			add(kit.Outline, "copy", "Copy a report", func() { f.copyText(view.Report(s, err)) })
		}
	}
	if s.ID != "" {
		text := "Restart"
		if !s.RetryAt.IsZero() {
			text = "Restart now"
		}
		switch view.DiagnosisOf(err).Cause {
		case diagnose.SignInNeeded:
			text = "Sign in" // a new start asks the user to sign in
		case diagnose.ValueMissing:
			text = "Start" // the start asks for the value
		}
		add(kit.Outline, "retry", text, f.OnRestart)
	}
	return buttons
}

// bind binds do to its argument. It returns nil if do is nil.
func bind(do func(string), argument string) func() {
	if do == nil {
		return nil
	}
	return func() { do(argument) }
}

// details returns a button that shows the command, its exit status and its output.
func (f Card) details(s client.Server, err error) fyne.CanvasObject {
	command, lines := view.CommandLine(err), s.Stderr
	if len(lines) == 0 {
		lines = view.Stderr(err)
	}
	lines = slices.Compact(slices.Clone(lines)) // the error omits repeated lines too
	if command == "" && len(lines) == 0 {
		return nil
	}
	var parts []fyne.CanvasObject
	if len(lines) > 0 {
		all := strings.Join(lines, "\n")
		body := kit.NewText(strings.Join(lines[max(0, len(lines)-outputLines):], "\n"), 12, 18, kit.ColorText)
		body.Style.Monospace = true
		parts = append(parts, kit.NewListing("Last lines of its output", body, func() { f.copyText(all) }))
	}
	if command != "" {
		name := "Command"
		if exit := view.ExitNote(err); exit != "" {
			name = fmt.Sprintf("Command · %s", exit)
		}
		parts = append(parts, f.listing(name, command))
	}
	details := kit.Vertical(8, parts...)
	folded := f.Folded
	if folded == nil {
		yes := true
		folded = &yes
	}
	var head *kit.Button
	head = kit.NewButton(kit.Ghost, "", "Details", func() {
		*folded = !*folded
		setFolded(head, details, *folded)
		if f.OnResize != nil {
			f.OnResize()
		}
	}).Small()
	setFolded(head, details, *folded)
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	return kit.Vertical(4, kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 0, Left: -9}, kit.Horizontal(0, gap, head, gap)), details)
}

// setFolded shows or hides the details below a button.
func setFolded(head *kit.Button, details fyne.CanvasObject, folded bool) {
	if folded {
		head.SetIcon("chevron-right")
		details.Hide()
		return
	}
	head.SetIcon("chevron-down")
	details.Show()
}

func (f Card) listing(name, text string) fyne.CanvasObject {
	body := kit.NewText(text, 12, 18, kit.ColorText)
	body.Style.Monospace = true
	return kit.NewListing(name, body, func() { f.copyText(text) })
}

func (f Card) copyText(text string) {
	if f.OnCopy != nil {
		f.OnCopy(text)
	}
}
