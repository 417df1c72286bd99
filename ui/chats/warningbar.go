package chats

import (
	"fmt"
	"slices"
	"strings"

	"goated/internal/chat"
	"goated/internal/errtext"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A warningBar is above the composer. It shows warnings, which the user can dismiss, and a notice
// about unsaved data, which stays until the data is saved.
type warningBar struct {
	shell *shell.Shell
	Sign  *kit.Banner

	warnings []string // not dismissed yet
	Unsaved  string   // why something waits in memory; empty: everything is saved
	Unopened error    // why the history is not open; nil: it is open, or that is not known yet

	OnLayout func() // the size changed
}

func newWarningBar(s *shell.Shell, layout func()) *warningBar {
	b := &warningBar{shell: s, OnLayout: layout}
	b.Sign = (&kit.Banner{Text: kit.NewText("", 13, 19, kit.ColorText), More: kit.NewButton(kit.Outline, "", "Dismiss", b.dismiss).Small(),
		Also: kit.NewButton(kit.Outline, "retry", "Try again", nil).Small()}).Build("alert", kit.ColorBad, kit.ColorBadSoft)
	b.show()
	return b
}

// Warn adds a warning.
func (b *warningBar) Warn(err error) {
	b.warnings = append(b.warnings, errtext.PlainSentence(err))
	b.show()
}

func (b *warningBar) dismiss() {
	b.warnings = nil
	b.show()
}

func (b *warningBar) show() {
	lines := slices.Clone(b.warnings)
	switch {
	case b.Unopened != nil:
		lines = slices.Insert(lines, 0, fmt.Sprintf("goated can't save now: %s. It keeps the conversation in memory and saves it as soon as the history opens. Leave goated open.", chat.SaveFailureText(b.Unopened)))
	case b.Unsaved != "":
		lines = slices.Insert(lines, 0, b.Unsaved)
	}
	b.Sign.More.Hidden = len(b.warnings) == 0
	b.Sign.Also.Hidden = b.Unopened == nil
	b.Sign.Say(strings.Join(lines, "\n"))
	b.OnLayout()
}

// Pending shows that something waits in memory. If why is nil, everything is saved. Pending
// reports whether something was saved that waited before.
func (b *warningBar) Pending(why error) (saved bool) {
	waited := b.Unsaved != ""
	b.Unsaved = ""
	if why != nil {
		b.Unsaved = fmt.Sprintf("Not saved yet: %s. goated keeps the conversation in memory and saves it as soon as it can. Leave goated open.", chat.SaveFailureText(why))
	}
	if saved = waited && why == nil; saved {
		b.shell.Toasts.Say("check", "Everything is saved now.")
	}
	b.show()
	return saved
}

// ShowUnopened shows that the history cannot be opened, with a button that calls retry.
func (b *warningBar) ShowUnopened(err error, retry func()) {
	b.Unopened = err
	b.Sign.Also.OnTapped = func() {
		b.Sign.Also.SetEnabled(false) // opening may take ten seconds
		retry()
	}
	b.Sign.Also.SetEnabled(true)
	b.show()
}

// hideUnopened shows that the history is open.
func (b *warningBar) hideUnopened(warning error) {
	if warning != nil {
		b.Warn(warning)
	}
	if b.Unopened == nil {
		return
	}
	b.Unopened = nil
	if b.Unsaved == "" { // otherwise Pending shows it
		b.shell.Toasts.Say("check", "The history is open, and everything is saved.")
	}
	b.show()
}
