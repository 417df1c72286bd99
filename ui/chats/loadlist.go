package chats

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"goated/internal/store"
)

// Recall lists the conversations that were saved before the window opened, and shows the most
// recently used one. If the history cannot be opened, it offers to try again.
func (l *loader) Recall() {
	list, err := l.page.History.Store.Conversations(l.page.shell.Ctx)
	list = slices.DeleteFunc(list, func(c store.Conversation) bool {
		// Skip and delete conversations that contained only an empty draft.
		hollow := c.Active == "" && c.Draft == "" && !c.Unsent && c.Title == ""
		if hollow && !c.Created.After(l.Opened) {
			err = errors.Join(err, l.page.History.Store.Delete(l.page.shell.Ctx, c.ID))
		}
		// The sidebar already contains the conversations that the user has started since then.
		return hollow || c.Created.After(l.Opened)
	})
	l.page.shell.Post(func() {
		switch {
		case errors.Is(err, store.ErrNotOpened):
			l.page.WarningBar.ShowUnopened(err, l.reopen)
			return
		case err != nil:
			l.page.shell.Alert(err)
		}
		l.page.WarningBar.hideUnopened(l.page.History.Store.Warning())
		l.Other.ready = err == nil
		l.page.Choices.keepLate()
		shown := l.page.Conversation()
		for _, kept := range list {
			l.page.Chats = append(l.page.Chats, Remembered(kept))
		}
		l.orderAfterSaved(list)
		if len(list) > 0 && shown.Saved.ID == "" && shown.Chat.Len() == 0 && l.page.Composer.Input.Text == "" {
			l.page.Chats = slices.DeleteFunc(l.page.Chats, func(c *Conversation) bool { return c == shown })
			last := slices.MaxFunc(l.page.Chats, func(a, b *Conversation) int { return cmp.Compare(a.Saved.Order, b.Saved.Order) })
			l.page.Current = 0
			l.page.Sort()
			l.page.Choose(slices.Index(l.page.Chats, last))
			return
		}
		l.page.Sort()
		l.page.Refresh()
	})
}

// orderAfterSaved moves the conversations that the user started while the history opened after
// all saved conversations.
func (l *loader) orderAfterSaved(list []store.Conversation) {
	live := slices.DeleteFunc(slices.Clone(l.page.Chats), func(c *Conversation) bool {
		return c.Saved.Order == 0 || slices.ContainsFunc(list, func(kept store.Conversation) bool { return kept.ID == c.Saved.ID })
	})
	slices.SortFunc(live, func(a, b *Conversation) int { return cmp.Compare(a.Saved.Order, b.Saved.Order) })
	for _, c := range live {
		c.Saved.Order = l.page.Later()
	}
}

// reopen tries to open the history again. The store then writes everything that waits. The drafts
// wait in the draft saver.
func (l *loader) reopen() {
	l.page.shell.Go(func() {
		err := l.page.History.Store.Retry(l.page.shell.Ctx)
		if err == nil {
			l.page.History.Drafts.Retry()
			l.Recall()
			return
		}
		l.page.shell.Post(func() {
			l.page.WarningBar.ShowUnopened(err, l.reopen)
			if !errors.Is(err, context.Canceled) {
				l.page.shell.Toasts.Say("alert", "The history still can't be opened.")
			}
		})
	})
}

// Watch reports which data waits in memory, until the window closes. It reads a conversation
// again after it was saved late, so that the user can edit it.
func (l *loader) Watch() {
	var checked sync.WaitGroup
	defer checked.Wait()
	checked.Go(func() {
		if damage := l.page.History.Store.WaitForCheck(l.page.shell.Ctx); damage != nil {
			l.page.shell.Post(func() { l.page.WarningBar.Warn(damage) })
		}
	})
	for why := range l.page.History.Store.Pending(l.page.shell.Ctx) {
		l.page.shell.Post(func() {
			if !l.page.WarningBar.Pending(why) {
				return
			}
			l.page.Choices.keepLate()
			for _, c := range l.page.Chats {
				if c.Read.Loaded && c.Saved.ID != "" && !c.Running() {
					l.reload(c)
				}
			}
		})
	}
}
