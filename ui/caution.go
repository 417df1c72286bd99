package ui

import (
	"fmt"
	"strings"

	"goated/internal/chat"
	"goated/ui/kit"
	"goated/ui/view"
)

// newCaution is the sign that says what is not as it should be. It can be put
// away, and the opening of the history be tried again; see bar.
func newCaution(dismiss func()) *kit.Banner {
	s := &kit.Banner{Text: kit.NewText("", 13, 19, kit.ColorText), More: kit.NewButton(kit.Outline, "", "Dismiss", dismiss).Small(),
		Also: kit.NewButton(kit.Outline, "retry", "Try again", nil).Small()}
	return s.Hang("alert", kit.ColorBad)
}

// warn says over the composer what goes on without, until the person puts it away.
func (w *Window) warn(err error) {
	w.warnings = append(w.warnings, view.Sentence(err.Error()))
	w.cautions()
	w.head()
}

func (w *Window) dismiss() {
	w.warnings = nil
	w.cautions()
	w.head()
}

// cautions shows what there is to be warned of. What waits to be saved can't be
// put away.
func (w *Window) cautions() {
	lines := w.warnings
	switch {
	case w.barred != nil:
		lines = append([]string{fmt.Sprintf("Nothing can be saved now, since %s. What is said is kept in memory, and saved as soon as the history opens: leave goated open.", chat.Obstacle(w.barred))}, lines...)
	case w.unsaved != "":
		lines = append([]string{w.unsaved}, lines...)
	}
	w.caution.More.Hidden = len(w.warnings) == 0
	w.caution.Also.Hidden = w.barred == nil
	w.caution.Say(strings.Join(lines, "\n"))
}

// attendHistory tells while something waits to be saved, and when it is.
func (w *Window) attendHistory() {
	for why := range w.options.History.Pending(w.ctx) {
		w.post(func() { w.waiting(why) })
	}
}

func (w *Window) waiting(why error) {
	waited := w.unsaved != ""
	w.unsaved = ""
	if why != nil {
		w.unsaved = fmt.Sprintf("Not saved yet, since %s. What is said is kept in memory, and saved as soon as that is possible: leave goated open.", chat.Obstacle(why))
	}
	if waited && why == nil {
		w.toasts.Say("check", "Everything is saved now.")
		for _, c := range w.chats {
			if c.loaded && c.id != "" && !c.running() {
				w.reload(c) // and can be edited
			}
		}
	}
	w.cautions()
	w.head()
}
