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

// A cautions shows over the composer what goated works without: warnings, which
// the user can dismiss, and what is not saved, which stays until it is saved.
type cautions struct {
	shell *shell.Shell
	Sign  *kit.Banner

	warnings []string // not dismissed yet
	Unsaved  string   // why something waits in memory; empty: everything is saved
	Unopened error    // why the history is not open; nil: it is, or nobody knows yet

	OnLayout func() // the size changed
}

func newCautions(s *shell.Shell, layout func()) *cautions {
	c := &cautions{shell: s, OnLayout: layout}
	c.Sign = (&kit.Banner{Text: kit.NewText("", 13, 19, kit.ColorText), More: kit.NewButton(kit.Outline, "", "Dismiss", c.dismiss).Small(),
		Also: kit.NewButton(kit.Outline, "retry", "Try again", nil).Small()}).Build("alert", kit.ColorBad)
	c.show()
	return c
}

// Warn adds a warning.
func (c *cautions) Warn(err error) {
	c.warnings = append(c.warnings, view.Sentence(err.Error()))
	c.show()
}

func (c *cautions) dismiss() {
	c.warnings = nil
	c.show()
}

func (c *cautions) show() {
	lines := slices.Clone(c.warnings)
	switch {
	case c.Unopened != nil:
		lines = slices.Insert(lines, 0, fmt.Sprintf("goated can't save now: %s. It keeps the conversation in memory and saves it as soon as the history opens. Leave goated open.", chat.Obstacle(c.Unopened)))
	case c.Unsaved != "":
		lines = slices.Insert(lines, 0, c.Unsaved)
	}
	c.Sign.More.Hidden = len(c.warnings) == 0
	c.Sign.Also.Hidden = c.Unopened == nil
	c.Sign.Say(strings.Join(lines, "\n"))
	c.OnLayout()
}

// Pending shows that something waits in memory; with nil, that all is saved. It
// reports whether that is news.
func (c *cautions) Pending(why error) (saved bool) {
	waited := c.Unsaved != ""
	c.Unsaved = ""
	if why != nil {
		c.Unsaved = fmt.Sprintf("Not saved yet: %s. goated keeps the conversation in memory and saves it as soon as it can. Leave goated open.", chat.Obstacle(why))
	}
	if saved = waited && why == nil; saved {
		c.shell.Toasts.Say("check", "Everything is saved now.")
	}
	c.show()
	return saved
}

// Bar shows that the history can't be opened, and offers retry.
func (c *cautions) Bar(err error, retry func()) {
	c.Unopened = err
	c.Sign.Also.OnTapped = func() {
		c.Sign.Also.SetEnabled(false) // it may take ten seconds
		retry()
	}
	c.Sign.Also.SetEnabled(true)
	c.show()
}

// unbar shows that the history is open.
func (c *cautions) unbar(warning error) {
	if warning != nil {
		c.Warn(warning)
	}
	if c.Unopened == nil {
		return
	}
	c.Unopened = nil
	if c.Unsaved == "" { // otherwise pending says it
		c.shell.Toasts.Say("check", "The history is open, and everything is saved.")
	}
	c.show()
}
