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

// A historySearch searches all conversations.
type historySearch struct {
	page    *chatPage
	unseek  context.CancelFunc // ends the search under way
	seeking int                // numbers the searches
}

// seek looks for query in all conversations, beside the UI goroutine. A newer
// search ends the one before.
func (s *historySearch) seek(query string) {
	if s.unseek != nil {
		s.unseek()
	}
	s.seeking++
	if query == "" {
		return
	}
	number := s.seeking
	ctx, cancel := context.WithCancel(s.page.shell.ctx)
	s.unseek = cancel
	s.page.shell.begin(func() {
		defer cancel()
		hits, err := s.page.history.Search(ctx, query, mostFound)
		s.page.shell.post(func() {
			if number == s.seeking {
				s.page.sidebar.finder.found(query, hits, err)
			}
		})
	})
}

// seekField goes to the field over the sidebar.
func (s *historySearch) seekField() {
	in := s.page.sidebar.finder.input
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
func (s *historySearch) openHit(h store.Hit, query string) {
	i := slices.IndexFunc(s.page.chats, func(c *conversation) bool { return c.id == h.Conversation })
	if i < 0 { // of another goated
		s.page.loader.adopt([]string{h.Conversation}, func(i int) { s.reach(i, h, query) })
		return
	}
	s.reach(i, h, query)
}

func (s *historySearch) reach(i int, h store.Hit, query string) {
	c := s.page.chats[i]
	if h.Turn != "" {
		c.quest = &quest{turn: h.Turn, query: query}
	}
	if i != s.page.current {
		s.page.choose(i)
	} else {
		s.arrive(c)
	}
	kit.Focus(s.page.sidebar.finder.input)
}

// arrive shows what a search has found in a conversation that is shown now. It
// reports whether there was anything to go to.
func (s *historySearch) arrive(c *conversation) bool {
	q := c.quest
	if q == nil || c.id != "" && !c.loaded || c != s.page.conversation() {
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
		s.page.transcript.show(c.chat)
		s.page.transcript.signal(from, min(to, len(s.page.transcript.items)), strings.Fields(q.query))
		return true
	case c.running():
		c.quest = nil
		s.page.shell.toasts.Say("info", "That is on another branch of this conversation, which can be shown when the turn has ended.")
	case q.switched:
		c.quest = nil // it is gone meanwhile
	default:
		q.switched = true
		s.page.versions.turnTo(c, q.turn)
	}
	return false
}

// adopt takes conversations that the history has into the sidebar, and then goes
// on with the first of them.
func (l *loader) adopt(ids []string, then func(i int)) {
	var list []store.Conversation
	l.keep(func(ctx context.Context) (err error) {
		list, err = l.page.history.Conversations(ctx)
		return err
	}, func() {
		for _, kept := range list {
			have := slices.ContainsFunc(l.page.chats, func(c *conversation) bool { return c.id == kept.ID })
			if !have && slices.Contains(ids, kept.ID) {
				l.page.chats = append(l.page.chats, remembered(kept))
			}
		}
		l.page.sort()
		l.page.refresh()
		if len(ids) > 0 {
			if i := slices.IndexFunc(l.page.chats, func(c *conversation) bool { return c.id == ids[0] }); i >= 0 {
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
