package ui

import (
	"slices"
	"time"

	"goated/internal/store"
)

// A loader reads conversations from the history.
type loader struct {
	page   *chatPage
	opened time.Time // when the window did
}

// load reads a kept conversation, unless it is there already.
func (l *loader) load(c *conversation) {
	if l.page.history == nil || c.id == "" || c.loaded || c.loading {
		return
	}
	c.loading = true
	session := l.page.on.NewSession()
	l.page.shell.begin(func() {
		kept, err := l.page.history.Thread(l.page.shell.ctx, c.id)
		t := retold(kept)
		l.page.shell.post(func() {
			c.loading = false
			if err != nil {
				l.page.shell.alert(err)
				return
			}
			c.take(session, t)
			if c == l.page.conversation() {
				l.page.transcript.reset()
				l.page.refresh()
				if !l.page.search.arrive(c) {
					l.page.transcript.bear(c.place)
				}
			}
		})
	})
}

// name says under which id a conversation that is new in the history is kept.
func (p *chatPage) name(c *conversation, id string) {
	if c.id == "" {
		c.id, c.loaded = id, true
		p.side.list()
	}
}

// reload reads again what a turn has left, so that it can be edited.
func (l *loader) reload(c *conversation) {
	taken := c.taken
	l.page.shell.begin(func() {
		kept, err := l.page.history.Thread(l.page.shell.ctx, c.id)
		if err != nil {
			return // it is shown as it is; the next opening tells
		}
		t := retold(kept)
		l.page.shell.post(func() {
			if c.renew(t, taken) {
				c.title = kept.Conversation.Title
				l.page.refresh()
			}
		})
	})
}

// renew takes t as what is kept of the conversation, if it has gone on to nothing
// else since taken.
func (c *conversation) renew(t thread, taken int) bool {
	if c.busy() || c.taken != taken {
		return false
	}
	if !slices.ContainsFunc(t.turns, func(kept store.Turn) bool { return kept.ID == c.active }) {
		return false // its last turn is not saved yet
	}
	if len(t.chat.Items) != len(c.chat.Items) {
		c.chat = t.chat // what is kept is what there is
	}
	c.thread = t
	c.active = t.turns[len(t.turns)-1].ID
	return true
}
