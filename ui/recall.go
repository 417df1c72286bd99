package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"goated/internal/store"
)

// recall lists the conversations that were saved before the window opened, and
// shows the one used last. If the history can't be opened, it offers to try again.
func (l *loader) recall() {
	list, err := l.page.history.Conversations(l.page.shell.Ctx)
	list = slices.DeleteFunc(list, func(c store.Conversation) bool {
		// Skip and delete conversations that only held an empty draft.
		hollow := c.Active == "" && c.Draft == "" && c.Title == ""
		if hollow && !c.Created.After(l.opened) {
			err = errors.Join(err, l.page.history.Delete(l.page.shell.Ctx, c.ID))
		}
		// The sidebar has those that the user started since.
		return hollow || c.Created.After(l.opened)
	})
	l.page.shell.Post(func() {
		switch {
		case errors.Is(err, store.ErrUnopened):
			l.page.cautions.bar(err, l.reopen)
			return
		case err != nil:
			l.page.shell.Alert(err)
		}
		l.page.cautions.unbar(l.page.history.Warning())
		shown := l.page.conversation()
		for _, kept := range list {
			l.page.chats = append(l.page.chats, remembered(kept))
		}
		l.outrank(list)
		if len(list) > 0 && shown.saved.id == "" && len(shown.chat.Items) == 0 && l.page.composer.input.Text == "" {
			l.page.chats = slices.DeleteFunc(l.page.chats, func(c *conversation) bool { return c == shown })
			last := slices.MaxFunc(l.page.chats, func(a, b *conversation) int { return cmp.Compare(a.saved.order, b.saved.order) })
			l.page.current = 0
			l.page.sort()
			l.page.choose(slices.Index(l.page.chats, last))
			return
		}
		l.page.sort()
		l.page.refresh()
	})
}

// outrank orders conversations that the user started while the history opened
// after all saved ones.
func (l *loader) outrank(list []store.Conversation) {
	live := slices.DeleteFunc(slices.Clone(l.page.chats), func(c *conversation) bool {
		return c.saved.order == 0 || slices.ContainsFunc(list, func(kept store.Conversation) bool { return kept.ID == c.saved.id })
	})
	slices.SortFunc(live, func(a, b *conversation) int { return cmp.Compare(a.saved.order, b.saved.order) })
	for _, c := range live {
		c.saved.order = l.page.later()
	}
}

// reopen tries to open the history again. The store then writes what waits; the
// drafts wait here.
func (l *loader) reopen() {
	l.page.shell.Go(func() {
		err := l.page.history.Retry(l.page.shell.Ctx)
		if err == nil {
			l.page.drafts.Retry()
			l.recall()
			return
		}
		l.page.shell.Post(func() {
			l.page.cautions.bar(err, l.reopen)
			if !errors.Is(err, context.Canceled) {
				l.page.shell.Toasts.Say("alert", "The history could still not be opened.")
			}
		})
	})
}

// watch reports what waits in memory, until the window closes. What was saved
// late is read again, so that it can be edited.
func (l *loader) watch() {
	for why := range l.page.history.Pending(l.page.shell.Ctx) {
		l.page.shell.Post(func() {
			if !l.page.cautions.pending(why) {
				return
			}
			for _, c := range l.page.chats {
				if c.read.loaded && c.saved.id != "" && !c.running() {
					l.reload(c)
				}
			}
		})
	}
}
