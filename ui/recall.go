package ui

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"goated/internal/store"
)

// recall reads what conversations there were when the window opened, shows them
// in the sidebar, and opens the one that was used last. A history that can't be
// opened is told, until it can be.
func (l *loader) recall() {
	list, err := l.page.history.Conversations(l.page.shell.ctx)
	list = slices.DeleteFunc(list, func(c store.Conversation) bool {
		// One that was begun with a draft that came to nothing is none.
		hollow := c.Active == "" && c.Draft == "" && c.Title == ""
		if hollow && !c.Created.After(l.opened) {
			err = errors.Join(err, l.page.history.Delete(l.page.shell.ctx, c.ID))
		}
		// The person may have said something already: that is in the sidebar.
		return hollow || c.Created.After(l.opened)
	})
	l.page.shell.post(func() {
		switch {
		case errors.Is(err, store.ErrUnopened):
			l.page.on.Unopened(err, l.reopen)
			return
		case err != nil:
			l.page.shell.alert(err)
		}
		l.page.on.Opened(l.page.history.Warning())
		shown := l.page.conversation()
		for _, kept := range list {
			l.page.chats = append(l.page.chats, remembered(kept))
		}
		l.outrank(list)
		if len(list) > 0 && shown.id == "" && len(shown.chat.Items) == 0 && l.page.composer.input.Text == "" {
			l.page.chats = slices.DeleteFunc(l.page.chats, func(c *conversation) bool { return c == shown })
			last := slices.MaxFunc(l.page.chats, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
			l.page.current = 0
			l.page.sort()
			l.page.choose(slices.Index(l.page.chats, last))
			return
		}
		l.page.sort()
		l.page.refresh()
	})
}

// outrank puts what was said while the history was being opened after all that is
// in it.
func (l *loader) outrank(list []store.Conversation) {
	live := slices.DeleteFunc(slices.Clone(l.page.chats), func(c *conversation) bool {
		return c.order == 0 || slices.ContainsFunc(list, func(kept store.Conversation) bool { return kept.ID == c.id })
	})
	slices.SortFunc(live, func(a, b *conversation) int { return cmp.Compare(a.order, b.order) })
	for _, c := range live {
		c.order = l.page.later()
	}
}

// reopen tries to open the history again. The store then writes what waits; the
// drafts wait here.
func (l *loader) reopen() {
	l.page.shell.begin(func() {
		err := l.page.history.Retry(l.page.shell.ctx)
		if err == nil {
			l.page.drafts.Retry()
			l.recall()
			return
		}
		l.page.shell.post(func() {
			l.page.on.Unopened(err, l.reopen)
			if !errors.Is(err, context.Canceled) {
				l.page.shell.toasts.Say("alert", "The history could still not be opened.")
			}
		})
	})
}

// watch reports what waits in memory, until the window closes. What was saved
// late is read again, so that it can be edited.
func (l *loader) watch() {
	for why := range l.page.history.Pending(l.page.shell.ctx) {
		l.page.shell.post(func() {
			if !l.page.on.Pending(why) {
				return
			}
			for _, c := range l.page.chats {
				if c.loaded && c.id != "" && !c.running() {
					l.reload(c)
				}
			}
		})
	}
}
