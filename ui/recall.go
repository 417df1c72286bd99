package ui

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"time"

	"goated/internal/store"
)

// recall reads what conversations there were when the window opened, shows them
// in the sidebar, and opens the one that was used last. A history that can't be
// opened is told, until it can be.
func (w *Window) recall(opened time.Time) {
	list, err := w.options.History.Conversations(w.ctx)
	list = slices.DeleteFunc(list, func(c store.Conversation) bool {
		// One that was begun with a draft that came to nothing is none.
		hollow := c.Active == "" && c.Draft == "" && c.Title == ""
		if hollow && !c.Created.After(opened) {
			err = errors.Join(err, w.options.History.Delete(w.ctx, c.ID))
		}
		// The person may have said something already: that is in the sidebar.
		return hollow || c.Created.After(opened)
	})
	w.post(func() {
		switch {
		case errors.Is(err, store.ErrUnopened):
			w.bar(err, opened)
			return
		case err != nil:
			w.alert(err)
		}
		if warning := w.options.History.Warning(); warning != nil {
			w.warn(warning)
		}
		w.unbar()
		shown := w.conversation()
		for _, kept := range list {
			w.chats = append(w.chats, remembered(kept))
		}
		w.outrank(list)
		if len(list) > 0 && shown.id == "" && len(shown.chat.Items) == 0 && w.composer.input.Text == "" {
			w.chats = slices.DeleteFunc(w.chats, func(c *conversation) bool { return c == shown })
			last := slices.MaxFunc(w.chats, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
			w.current = 0
			w.sort()
			w.choose(slices.Index(w.chats, last))
			return
		}
		w.sort()
		w.refresh()
	})
}

// outrank puts what was said while the history was being opened after all that is
// in it.
func (w *Window) outrank(list []store.Conversation) {
	live := slices.DeleteFunc(slices.Clone(w.chats), func(c *conversation) bool {
		return c.order == 0 || slices.ContainsFunc(list, func(kept store.Conversation) bool { return kept.ID == c.id })
	})
	slices.SortFunc(live, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
	for _, c := range live {
		c.order = w.later()
	}
}

// sort orders the conversations as the sidebar shows them from below: pinned
// last, and among equals the one last used last.
func (w *Window) sort() {
	shown := w.conversation()
	slices.SortStableFunc(w.chats, func(a, b *conversation) int {
		if a.pinned != b.pinned {
			if b.pinned {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.used(), b.used())
	})
	w.current = slices.Index(w.chats, shown)
}

// used is the conversation's order of last use; that of an empty one is the last.
func (c *conversation) used() int64 {
	if c.order == 0 {
		return math.MaxInt64
	}
	return c.order
}

// when is the time of last use; an empty one is always new.
func (c *conversation) when(now time.Time) time.Time {
	if c.began.IsZero() {
		return now
	}
	return c.began
}

// later is the order of what is used now: after all that there is, or was.
func (w *Window) later() int64 {
	for _, c := range w.chats {
		w.order = max(w.order, c.order)
	}
	w.order++
	return w.order
}
