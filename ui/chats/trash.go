package chats

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view/format"
)

// A removal is a deleted conversation, or a deleted turn with all that followed
// it, which restore brings back.
type removal struct {
	c     *Conversation
	turn  string // empty: all of it
	shown string // the last turn that was shown before
	told  func() // closes the toast that offers to undo it
}

// trash brings back what the user deleted.
type trash struct {
	page    *Page
	Removed []removal // the last one last
}

// maxRemoved is how many deletions can be undone.
const maxRemoved = 50

// later counts the messages after the one of an item, which are deleted with it;
// -1 if it cannot be deleted.
func (c *Conversation) later(item int) int {
	at := c.Thread.asked(item)
	if at < 0 || c.busy() {
		return -1
	}
	n := 0
	for _, t := range c.Thread.Turns[at+1:] {
		if len(t.User) > 0 {
			n++
		}
	}
	return n
}

// deletes says what deleting an item deletes; empty if it cannot be deleted.
func (t *trash) deletes(item int) string {
	switch n := t.page.Conversation().later(item); n {
	case -1:
		return ""
	case 0:
		return "Delete the message and its answer"
	default:
		return format.Plural(n, "Delete the message, its answer and the one after", "Delete the message, its answer and the %d after")
	}
}

// remove deletes a message with its answer and all that follows; restore undoes it.
func (t *trash) remove(item int) {
	c := t.page.Conversation()
	later := c.later(item)
	if later < 0 {
		return
	}
	turn := c.Thread.Turns[c.Thread.asked(item)]
	text := "Deleted the message and its answer."
	if later > 0 {
		text = format.Plural(later, "Deleted the message, its answer and the message after it.", "Deleted the message, its answer and the %d messages after it.")
	}
	if len(turn.Siblings) > 1 {
		text += " " + "Another version is shown."
	}
	gone := removal{c: c, turn: turn.ID, shown: c.Saved.Active}
	t.page.History.Loader.reread(c, func() error { return t.page.History.Store.DeleteTurn(t.page.shell.Ctx, turn.ID) }, func() { t.offerUndo(gone, text) })
}

// offerUndo keeps a deletion and offers to undo it.
func (t *trash) offerUndo(gone removal, text string) {
	gone.told = t.page.shell.Toasts.Offer("trash", text, "Undo", kit.ModKey(fyne.KeyZ).Shifted(), t.Restore)
	t.Removed = append(t.Removed, gone)
	if len(t.Removed) > maxRemoved {
		t.Removed = slices.Delete(t.Removed, 0, 1)
	}
}

// Restore undoes the last deletion.
func (t *trash) Restore() {
	n := len(t.Removed)
	if n == 0 {
		return
	}
	gone := t.Removed[n-1]
	t.Removed = t.Removed[:n-1]
	gone.told()
	c := gone.c
	again := func(err error) error { // after a temporary failure the user can try again
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.page.shell.Post(func() { t.Removed = append(t.Removed, gone) })
		}
		return err
	}
	if gone.turn == "" {
		t.page.History.Loader.keep(func(ctx context.Context) error { return again(t.page.History.Store.Undelete(ctx, c.Saved.ID)) }, func() {
			t.page.Chats = append(t.page.Chats, c)
			t.page.Sort()
			t.page.Choose(slices.Index(t.page.Chats, c))
		})
		return
	}
	if c.busy() {
		t.Removed = append(t.Removed, gone)
		t.page.shell.Toasts.Say("info", "You can undo the deletion when the turn has ended.")
		return
	}
	t.page.History.Loader.reread(c, func() error {
		if err := again(t.page.History.Store.UndeleteTurn(t.page.shell.Ctx, gone.turn)); err != nil {
			return err
		}
		return t.page.History.Store.Activate(t.page.shell.Ctx, c.Saved.ID, gone.shown)
	}, func() {
		if i := slices.Index(t.page.Chats, c); i >= 0 && i != t.page.Current {
			t.page.Choose(i)
		}
		t.page.Transcript.View.ToLatest() // what is back is there
	})
}
