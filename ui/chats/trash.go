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

// A removal is a deletion that can be undone: a conversation, or a turn with everything that
// followed it, or something that another page removed.
type removal struct {
	back  func()        // undoes the removal of another page; nil for a conversation or turn
	c     *Conversation // nil for a removal of another page
	turn  string        // empty: the whole conversation
	shown string        // the last turn that was shown before the deletion
	told  func()        // closes the toast that offers to undo the deletion
}

// trash restores what the user deleted.
type trash struct {
	page    *Page
	Removed []*removal // the latest removal is the last one
	// changing contains the conversations that the history deletes or brings back at the moment. A list of the
	// history may come before or after that change.
	changing []*Conversation
}

// maxRemoved limits how many deletions can be undone.
const maxRemoved = 50

// later counts the messages after the message of an item, which are deleted with it. It returns
// -1 if the item cannot be deleted.
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

// deletes describes what deleting an item deletes. It returns "" if the item cannot be deleted.
func (t *trash) deletes(item int) string {
	switch n := t.page.Conversation().later(item); n {
	case -1:
		return ""
	case 0:
		return "Delete the message and its answer"
	default:
		return format.Plural(n, "Delete the message, its answer and the next message", "Delete the message, its answer and the next %d messages")
	}
}

// remove deletes a message with its answer and everything that follows; restore undoes that.
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
	t.page.History.Loader.reread(c, func() error { return t.page.History.Store.DeleteTurn(t.page.shell.Ctx, turn.ID) }, func() { t.offerUndo(gone, text) }, nil)
}

// offerUndo records a deletion and offers to undo it.
func (t *trash) offerUndo(gone removal, text string) {
	t.offer(&gone, text, func() { t.restoreLast(func(r *removal) bool { return r.back == nil }) })
}

// Offer records something that another page removed and offers to undo that with back.
func (t *trash) Offer(text string, back func()) {
	gone := &removal{back: back}
	t.offer(gone, text, func() { t.restoreLast(func(r *removal) bool { return r == gone }) })
}

// offer records a removal. undo runs when the user presses the button of its toast. Deletions in
// conversations are undone in reverse order. A removal of another page is undone individually.
func (t *trash) offer(gone *removal, text string, undo func()) {
	gone.told = t.page.shell.Toasts.Offer("trash", text, "Undo", kit.ModKey(fyne.KeyZ).Shifted(), undo)
	t.Removed = append(t.Removed, gone)
	if len(t.Removed) > maxRemoved {
		t.Removed = slices.Delete(t.Removed, 0, 1)
	}
}

// Restore undoes the latest deletion, of this page or another one.
func (t *trash) Restore() { t.restoreLast(func(*removal) bool { return true }) }

// restoreLast undoes the latest deletion for which meant returns true.
func (t *trash) restoreLast(meant func(*removal) bool) {
	for i, gone := range slices.Backward(t.Removed) {
		if meant(gone) {
			t.Removed = slices.Delete(t.Removed, i, i+1)
			t.restore(gone)
			return
		}
	}
}

// change runs do, which deletes a conversation in the history or brings it back, in the background, and then then.
func (t *trash) change(c *Conversation, do func(context.Context) error, then func()) {
	t.changing = append(t.changing, c)
	changed := func() {
		i := slices.Index(t.changing, c)
		t.changing = slices.Delete(t.changing, i, i+1)
	}
	t.page.History.Loader.inBackground(func(ctx context.Context) error {
		err := do(ctx)
		if err != nil {
			t.page.shell.Post(changed)
		}
		return err
	}, func() {
		changed()
		then()
	})
}

// restore undoes a deletion.
func (t *trash) restore(gone *removal) {
	gone.told()
	if gone.back != nil {
		gone.back()
		return
	}
	t.page.on.Front()
	c := gone.c
	again := func(err error) error { // after a temporary failure the user can try again
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			t.page.shell.Post(func() { t.Removed = append(t.Removed, gone) })
		}
		return err
	}
	if gone.turn == "" {
		t.change(c, func(ctx context.Context) error { return again(t.page.History.Store.Undelete(ctx, c.Saved.ID)) }, func() {
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
		t.page.Transcript.View.ToLatest() // the restored messages are there
	}, nil)
}
