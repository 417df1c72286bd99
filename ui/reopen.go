package ui

import (
	"context"
	"errors"
	"time"
)

// bar says that the history can't be opened, with a button that tries again.
// opened is when the window did.
func (w *Window) bar(err error, opened time.Time) {
	w.barred = err
	w.caution.Also.OnTapped = func() { w.reopen(opened) }
	w.caution.Also.SetEnabled(true)
	w.cautions()
	w.head()
}

// unbar says that it is open.
func (w *Window) unbar() {
	if w.barred == nil {
		return
	}
	w.barred = nil
	if w.unsaved == "" { // or that is told when it is saved
		w.toasts.Say("check", "The history is open, and everything is saved.")
	}
	w.cautions()
	w.head()
}

// reopen tries to open the history again. What waits is then written by itself;
// the drafts are the keeper's.
func (w *Window) reopen(opened time.Time) {
	w.caution.Also.SetEnabled(false) // it may take ten seconds
	w.begin(func() {
		err := w.options.History.Retry(w.ctx)
		if err == nil {
			w.keeper.Retry()
			w.recall(opened)
			return
		}
		w.post(func() {
			w.bar(err, opened)
			if !errors.Is(err, context.Canceled) {
				w.toasts.Say("alert", "The history could still not be opened.")
			}
		})
	})
}
