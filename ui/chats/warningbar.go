package chats

import (
	"fmt"
	"slices"
	"strings"

	"goated/internal/chat"
	"goated/ui/kit"
	"goated/ui/shell"
	"goated/ui/view"
)

// A warningBar shows over the composer what goated works without: warnings, which
// the user can dismiss, and what is not saved, which stays until it is saved.
type warningBar struct {
	shell *shell.Shell
	Sign  *kit.Banner

	warnings []string // not dismissed yet
	Unsaved  string   // why something waits in memory; empty: everything is saved
	Unopened error    // why the history is not open; nil: it is, or nobody knows yet

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
	b.warnings = append(b.warnings, view.PlainSentence(err))
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
		lines = slices.Insert(lines, 0, fmt.Sprintf("goated can't save now: %s. It keeps the conversation in memory and saves it as soon as the history opens. Leave goated open.", chat.Obstacle(b.Unopened)))
	case b.Unsaved != "":
		lines = slices.Insert(lines, 0, b.Unsaved)
	}
	b.Sign.More.Hidden = len(b.warnings) == 0
	b.Sign.Also.Hidden = b.Unopened == nil
	b.Sign.Say(strings.Join(lines, "\n"))
	b.OnLayout()
}

// Pending shows that something waits in memory; with nil, that all is saved. It
// reports whether that is news.
func (b *warningBar) Pending(why error) (saved bool) {
	waited := b.Unsaved != ""
	b.Unsaved = ""
	if why != nil {
		b.Unsaved = fmt.Sprintf("Not saved yet: %s. goated keeps the conversation in memory and saves it as soon as it can. Leave goated open.", chat.Obstacle(why))
	}
	if saved = waited && why == nil; saved {
		b.shell.Toasts.Say("check", "Everything is saved now.")
	}
	b.show()
	return saved
}

// ShowUnopened shows that the history cannot be opened, and offers retry.
func (b *warningBar) ShowUnopened(err error, retry func()) {
	b.Unopened = err
	b.Sign.Also.OnTapped = func() {
		b.Sign.Also.SetEnabled(false) // it may take ten seconds
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
	if b.Unsaved == "" { // otherwise pending says it
		b.shell.Toasts.Say("check", "The history is open, and everything is saved.")
	}
	b.show()
}
