package ui

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view"
)

// seek looks for query in all conversations, beside the UI goroutine. A newer
// search ends the one before.
func (w *Window) seek(query string) {
	if w.unseek != nil {
		w.unseek()
	}
	w.seeking++
	if query == "" {
		return
	}
	number := w.seeking
	ctx, cancel := context.WithCancel(w.ctx)
	w.unseek = cancel
	w.begin(func() {
		defer cancel()
		hits, err := w.options.History.Search(ctx, query, mostFound)
		w.post(func() {
			if number == w.seeking {
				w.sidebar.finder.found(query, hits, err)
			}
		})
	})
}

// seekField goes to the field over the sidebar.
func (w *Window) seekField() {
	in := w.sidebar.finder.input
	kit.Focus(in)
	in.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// A quest is what a search has found in a conversation that is still to be
// shown: a turn, and the words that are in it.
type quest struct {
	turn, query string
	switched    bool // to the branch of the turn, already
}

// openHit opens the conversation of what was found, where it was found. The
// field keeps the focus, so that one can go on to the next.
func (w *Window) openHit(h store.Hit, query string) {
	i := slices.IndexFunc(w.chats, func(c *conversation) bool { return c.id == h.Conversation })
	if i < 0 { // of another goated
		w.adopt([]string{h.Conversation}, func(i int) { w.reach(i, h, query) })
		return
	}
	w.reach(i, h, query)
}

func (w *Window) reach(i int, h store.Hit, query string) {
	c := w.chats[i]
	if h.Turn != "" {
		c.quest = &quest{turn: h.Turn, query: query}
	}
	if i != w.current {
		w.choose(i)
	} else {
		w.arrive(c)
	}
	kit.Focus(w.sidebar.finder.input)
}

// arrive shows what a search has found in a conversation that is shown now. It
// reports whether there was anything to go to.
func (w *Window) arrive(c *conversation) bool {
	q := c.quest
	if q == nil || c.id != "" && !c.loaded || c != w.conversation() {
		return false
	}
	at := slices.IndexFunc(c.thread.turns, func(t store.Turn) bool { return t.ID == q.turn })
	switch {
	case at >= 0:
		c.quest = nil
		from, to := c.thread.starts[at], c.thread.end
		if at+1 < len(c.thread.starts) {
			to = c.thread.starts[at+1]
		}
		w.transcript.show(c.chat)
		w.transcript.signal(from, min(to, len(w.transcript.items)), strings.Fields(q.query))
		return true
	case c.running():
		c.quest = nil
		w.toasts.Say("info", "That is on another branch of this conversation, which can be shown when the turn has ended.")
	case q.switched:
		c.quest = nil // it is gone meanwhile
	default:
		q.switched = true
		w.turnTo(c, q.turn)
	}
	return false
}

// adopt takes conversations that the history has into the sidebar, and then goes
// on with the first of them.
func (w *Window) adopt(ids []string, then func(i int)) {
	var list []store.Conversation
	w.keep(func(ctx context.Context) (err error) {
		list, err = w.options.History.Conversations(ctx)
		return err
	}, func() {
		for _, kept := range list {
			have := slices.ContainsFunc(w.chats, func(c *conversation) bool { return c.id == kept.ID })
			if !have && slices.Contains(ids, kept.ID) {
				w.chats = append(w.chats, remembered(kept))
			}
		}
		w.sort()
		w.refresh()
		if len(ids) > 0 {
			if i := slices.IndexFunc(w.chats, func(c *conversation) bool { return c.id == ids[0] }); i >= 0 {
				then(i)
			}
		}
	})
}

// remembered is a conversation as the history knows it, not read yet.
func remembered(kept store.Conversation) *conversation {
	c := &conversation{
		id: kept.ID, title: kept.Title, preview: view.Skim(kept.Preview), pinned: kept.Pinned, order: kept.Used,
		began: kept.Updated, active: kept.Active, draft: kept.Draft, place: kept.Place,
	}
	c.identity.Set(kept.ID)
	return c
}
