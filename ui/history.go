package ui

import (
	"context"
	"slices"
	"time"

	"goated/internal/store"
)

// A loader reads conversations from the history.
type loader struct {
	page   *chatPage
	opened time.Time // when the window did
}

// load reads a saved conversation, once.
func (l *loader) load(c *conversation) {
	if l.page.history == nil || c.saved.id == "" || c.read.loaded || c.read.loading {
		return
	}
	c.read.loading = true
	session := l.page.on.NewSession()
	l.page.shell.Go(func() {
		kept, err := l.page.history.Thread(l.page.shell.Ctx, c.saved.id)
		t := retold(kept)
		l.page.shell.Post(func() {
			c.read.loading = false
			if err != nil {
				l.page.shell.Alert(err)
				return
			}
			c.take(session, t)
			if c == l.page.conversation() {
				l.page.transcript.Reset()
				l.page.refresh()
				if !l.page.search.arrive(c) {
					l.page.transcript.SetScrollPos(c.saved.place)
				}
			}
		})
	})
}

// name sets the id of a conversation that is new in the history.
func (p *chatPage) name(c *conversation, id string) {
	if c.saved.id == "" {
		c.saved.id, c.read.loaded = id, true
		p.side.list()
	}
}

// reload reads a conversation after a turn, so that its messages can be edited.
func (l *loader) reload(c *conversation) {
	taken := c.read.taken
	l.page.shell.Go(func() {
		kept, err := l.page.history.Thread(l.page.shell.Ctx, c.saved.id)
		if err != nil {
			return // the chat stays as it is; the next load reports the error
		}
		t := retold(kept)
		l.page.shell.Post(func() {
			if c.renew(t, taken) {
				c.saved.title = kept.Conversation.Title
				l.page.refresh()
			}
		})
	})
}

// renew replaces the stored thread, unless the conversation has changed since
// taken or its last turn is not saved yet.
func (c *conversation) renew(t thread, taken int) bool {
	if c.busy() || c.read.taken != taken {
		return false
	}
	if !slices.ContainsFunc(t.turns, func(kept store.Turn) bool { return kept.ID == c.saved.active }) {
		return false
	}
	if len(t.chat.Items) != len(c.chat.Items) {
		c.chat = t.chat // the history decides
	}
	c.thread = t
	c.saved.active = t.turns[len(t.turns)-1].ID
	return true
}

// keep runs do off the UI goroutine and shows its error; without one, it runs then
// on the UI goroutine.
func (l *loader) keep(do func(context.Context) error, then func()) {
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
