package chats

import (
	"context"
	"slices"
	"time"

	"goated/internal/store"
)

// A loader reads conversations from the history.
type loader struct {
	page   *Page
	Other  follower
	Opened time.Time // when the window opened
}

// load reads a saved conversation, once.
func (l *loader) load(c *Conversation) {
	if l.page.History.Store == nil || c.Saved.ID == "" || c.Read.Loaded || c.Read.Loading {
		return
	}
	c.Read.Loading = true
	before := c.Saved.Choices
	l.page.shell.Go(func() {
		kept, err := l.page.History.Store.Thread(l.page.shell.Ctx, c.Saved.ID)
		t, unsent := restore(kept), keptFiles(kept.Unsent)
		l.page.shell.Post(func() {
			c.Read.Loading = false
			if err != nil {
				l.page.shell.Alert(err)
				return
			}
			if c.Saved.Choices == before { // otherwise the user has chosen in the meantime
				c.Saved.Choices = kept.Conversation.Choices
				c.Saved.model = l.page.Choices.chosen(c)
			}
			l.take(c, t)
			l.page.Files.restore(c, unsent)
			if c == l.page.Conversation() {
				l.page.Versions.leave() // the edit of a queued message
				l.page.Transcript.Reset()
				l.page.Refresh()
				l.page.Versions.resume(c)
				if !l.page.Search.arrive(c) {
					l.page.Transcript.View.SetScrollPos(c.Saved.place)
				}
			}
		})
	})
}

// name sets the id of a conversation that was just added to the history.
func (p *Page) name(c *Conversation, id string) {
	if c.Saved.ID == "" {
		c.Saved.ID, c.Read.Loaded = id, true
		if c.Saved.Choices != (store.Choices{}) {
			p.Choices.save(c)
		}
		p.Side.List()
	}
}

// reload reads a conversation after a turn, so that the user can edit its messages.
func (l *loader) reload(c *Conversation) {
	taken := c.Read.taken
	l.page.shell.Go(func() {
		kept, err := l.page.History.Store.Thread(l.page.shell.Ctx, c.Saved.ID)
		if err != nil {
			return // the chat does not change; the next load reports the error
		}
		t := restore(kept)
		l.page.shell.Post(func() {
			if n := len(t.Turns); n > 0 && t.Turns[n-1].ID != c.Saved.Active {
				l.Other.catchUp(c) // another process continued it during the turn
				return
			}
			if c.renew(t, taken) {
				c.Saved.Title = kept.Conversation.Title
				l.page.Refresh()
			}
		})
	})
}

// renew replaces the stored thread, unless the conversation has changed since taken or its last
// turn is not saved yet.
func (c *Conversation) renew(t Thread, taken int) bool {
	if c.busy() || c.Read.taken != taken {
		return false
	}
	if !slices.ContainsFunc(t.Turns, func(kept store.Turn) bool { return kept.ID == c.Saved.Active }) {
		return false
	}
	if t.chat.Len() != c.Chat.Len() {
		c.Chat = t.chat // the history takes precedence
	}
	c.Thread, c.Read.lost = t, false
	c.Saved.Active = t.Turns[len(t.Turns)-1].ID
	return true
}

// inBackground runs do off the UI goroutine. If do fails, it shows the error. Otherwise it runs then on
// the UI goroutine.
func (l *loader) inBackground(do func(context.Context) error, then func()) {
	l.page.shell.Go(func() {
		err := do(l.page.shell.Ctx)
		l.page.shell.Post(func() {
			if err != nil {
				l.page.shell.Alert(err)
				return
			}
			then()
		})
	})
}
