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

// seek searches all conversations for query, off the UI goroutine. It ends an
// earlier search.
func (s *historySearch) seek(query string) {
	if s.unseek != nil {
		s.unseek()
	}
	s.seeking++
	if query == "" {
		return
	}
	number := s.seeking
	ctx, cancel := context.WithCancel(s.page.shell.Ctx)
	s.unseek = cancel
	s.page.shell.Go(func() {
		defer cancel()
		hits, err := s.page.history.Search(ctx, query, mostFound)
		s.page.shell.Post(func() {
			if number == s.seeking {
				s.page.sidebar.finder.found(query, hits, err)
			}
		})
	})
}

// seekField gives the search field the keyboard.
func (s *historySearch) seekField() {
	in := s.page.sidebar.finder.input
	kit.Focus(in)
	in.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// A quest is a place that the transcript should show: a turn, and the words that
// the search found in it.
type quest struct {
	turn, query string
	switched    bool // to the branch of the turn, already
}

// openHit shows the conversation of a hit at the hit. The field keeps the
// keyboard, so that the user can go to the next.
func (s *historySearch) openHit(h store.Hit, query string) {
	i := slices.IndexFunc(s.page.chats, func(c *conversation) bool { return c.saved.id == h.Conversation })
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

// arrive shows the quest of c if c is shown, and reports whether it scrolled there.
func (s *historySearch) arrive(c *conversation) bool {
	q := c.quest
	if q == nil || c.saved.id != "" && !c.read.loaded || c != s.page.conversation() {
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
		s.page.transcript.Show(c.chat)
		s.page.transcript.Signal(from, min(to, len(s.page.transcript.Items)), strings.Fields(q.query))
		return true
	case c.running():
		c.quest = nil
		s.page.shell.Toasts.Say("info", "That is on another branch of this conversation, which can be shown when the turn has ended.")
	case q.switched:
		c.quest = nil // deleted meanwhile
	default:
		q.switched = true
		s.page.versions.turnTo(c, q.turn)
	}
	return false
}

// adopt adds saved conversations to the sidebar, and runs then with the first.
func (l *loader) adopt(ids []string, then func(i int)) {
	var list []store.Conversation
	l.keep(func(ctx context.Context) (err error) {
		list, err = l.page.history.Conversations(ctx)
		return err
	}, func() {
		for _, kept := range list {
			have := slices.ContainsFunc(l.page.chats, func(c *conversation) bool { return c.saved.id == kept.ID })
			if !have && slices.Contains(ids, kept.ID) {
				l.page.chats = append(l.page.chats, remembered(kept))
			}
		}
		l.page.sort()
		l.page.refresh()
		if len(ids) > 0 {
			if i := slices.IndexFunc(l.page.chats, func(c *conversation) bool { return c.saved.id == ids[0] }); i >= 0 {
				then(i)
			}
		}
	})
}

// remembered is a saved conversation whose turns are not read yet.
func remembered(kept store.Conversation) *conversation {
	c := &conversation{
		saved: savedState{
			id: kept.ID, title: kept.Title, preview: view.Skim(kept.Preview), pinned: kept.Pinned,
			order: kept.Used, active: kept.Active, place: kept.Place,
		},
		began: kept.Updated, draft: kept.Draft,
	}
	c.saved.identity.Set(kept.ID)
	return c
}
