package ui

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view"
)

// A removal is what was deleted and can be brought back: a conversation, or a
// turn of it and what followed.
type removal struct {
	c     *conversation
	turn  string // empty: all of it
	shown string // the last turn that was shown before
}

// mostRemoved bounds what is remembered.
const mostRemoved = 50

// later counts the messages that go with one that is deleted; -1 if it can't be.
func (c *conversation) later(item int) int {
	at := c.thread.asked(item)
	if at < 0 || c.busy() {
		return -1
	}
	n := 0
	for _, t := range c.thread.turns[at+1:] {
		if len(t.User) > 0 {
			n++
		}
	}
	return n
}

// deletes says what deleting an item takes away.
func (w *Window) deletes(item int) string {
	switch n := w.conversation().later(item); n {
	case -1:
		return ""
	case 0:
		return "Delete the message and its answer"
	default:
		return view.Plural(n, "Delete the message, its answer and the one after", "Delete the message, its answer and the %d after")
	}
}

// remove deletes a message with its answer and all that follows it, until it is
// brought back.
func (w *Window) remove(item int) {
	c := w.conversation()
	later := c.later(item)
	if later < 0 {
		return
	}
	turn := c.thread.turns[c.thread.asked(item)]
	text := "Deleted the message and its answer."
	if later > 0 {
		text = view.Plural(later, "Deleted the message, its answer and the message after it.", "Deleted the message, its answer and the %d messages after it.")
	}
	if len(turn.Siblings) > 1 {
		text += " " + "Another version is shown."
	}
	gone := removal{c: c, turn: turn.ID, shown: c.active}
	w.reread(c, func() error { return w.options.History.DeleteTurn(w.ctx, turn.ID) }, func() { w.removes(gone, text) })
}

// removes remembers what was deleted, and says how it comes back.
func (w *Window) removes(gone removal, text string) {
	w.removed = append(w.removed, gone)
	if len(w.removed) > mostRemoved {
		w.removed = slices.Delete(w.removed, 0, 1)
	}
	w.toasts.Offer("trash", text, "Undo", kit.ModKey(fyne.KeyZ).Shifted(), w.restore)
}

// restore brings back what was deleted last.
func (w *Window) restore() {
	n := len(w.removed)
	if n == 0 {
		return
	}
	gone := w.removed[n-1]
	w.removed = w.removed[:n-1]
	c := gone.c
	again := func(err error) error { // what failed for a while can be tried again
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			w.post(func() { w.removed = append(w.removed, gone) })
		}
		return err
	}
	if gone.turn == "" {
		w.keep(func(ctx context.Context) error { return again(w.options.History.Undelete(ctx, c.id)) }, func() {
			w.chats = append(w.chats, c)
			w.sort()
			w.choose(slices.Index(w.chats, c))
		})
		return
	}
	if c.busy() {
		w.removed = append(w.removed, gone)
		w.toasts.Say("info", "What was deleted can be brought back when the turn has ended.")
		return
	}
	w.reread(c, func() error {
		if err := again(w.options.History.UndeleteTurn(w.ctx, gone.turn)); err != nil {
			return err
		}
		return w.options.History.Activate(w.ctx, c.id, gone.shown)
	}, func() {
		if i := slices.Index(w.chats, c); i >= 0 && i != w.current {
			w.choose(i)
		}
	})
}
