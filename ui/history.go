package ui

import (
	"slices"

	"goated/internal/store"
)

// load reads a kept conversation, unless it is there already.
func (w *Window) load(c *conversation) {
	if w.options.History == nil || c.id == "" || c.loaded || c.loading {
		return
	}
	c.loading = true
	session := w.options.NewSession()
	w.begin(func() {
		kept, err := w.options.History.Thread(w.ctx, c.id)
		t := retold(kept)
		w.post(func() {
			c.loading = false
			if err != nil {
				w.alert(err)
				return
			}
			c.take(session, t)
			if c == w.conversation() {
				w.transcript.reset()
				w.refresh()
				if !w.arrive(c) {
					w.transcript.bear(c.place)
				}
			}
		})
	})
}

// name says under which id a conversation that is new in the history is kept.
func (w *Window) name(c *conversation, id string) {
	if c.id == "" {
		c.id, c.loaded = id, true
		w.list()
	}
}

// reload reads again what a turn has left, so that it can be edited.
func (w *Window) reload(c *conversation) {
	taken := c.taken
	w.begin(func() {
		kept, err := w.options.History.Thread(w.ctx, c.id)
		if err != nil {
			return // it is shown as it is; the next opening tells
		}
		t := retold(kept)
		w.post(func() {
			if c.renew(t, taken) {
				c.title = kept.Conversation.Title
				w.refresh()
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
