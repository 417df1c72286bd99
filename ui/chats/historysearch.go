package chats

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/searchfield"
	"goated/ui/view"
)

// A historySearch searches all conversations.
type historySearch struct {
	page       *Page
	cancel     context.CancelFunc // cancels the running search
	generation int                // the number of the latest search
}

// search searches all conversations for query, off the UI goroutine. It cancels an earlier
// search.
func (s *historySearch) search(query string) {
	if s.cancel != nil {
		s.cancel()
	}
	s.generation++
	if query == "" {
		return
	}
	number := s.generation
	ctx, cancel := context.WithCancel(s.page.shell.Ctx)
	s.cancel = cancel
	s.page.shell.Go(func() {
		defer cancel()
		hits, err := s.page.History.Store.Search(ctx, query, searchfield.Most)
		s.page.shell.Post(func() {
			if number == s.generation {
				s.page.Sidebar.Search.Found(query, hits, err)
			}
		})
	})
}

// FocusField focuses the search field.
func (s *historySearch) FocusField() {
	in := s.page.Sidebar.Search.Input
	kit.Focus(in)
	in.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// A target is a place that the transcript should show: a turn, and the words that the search
// found in it.
type target struct {
	turn, query string
	switched    bool // the branch of the turn is already shown
}

// openHit shows the conversation of a hit, scrolled to the hit. The search field keeps the focus,
// so that the user can go to the next hit.
func (s *historySearch) openHit(h store.Hit, query string) {
	i := slices.IndexFunc(s.page.Chats, func(c *Conversation) bool { return c.Saved.ID == h.Conversation })
	if i < 0 { // from another goated process
		s.page.History.Loader.adopt([]string{h.Conversation}, func(i int) { s.reach(i, h, query) })
		return
	}
	s.reach(i, h, query)
}

func (s *historySearch) reach(i int, h store.Hit, query string) {
	c := s.page.Chats[i]
	if h.Turn != "" {
		c.target = &target{turn: h.Turn, query: query}
	}
	if i != s.page.Current {
		s.page.Choose(i)
	} else {
		s.page.on.Front()
		s.arrive(c)
	}
	kit.Focus(s.page.Sidebar.Search.Input)
}

// arrive shows the target of c if c is shown. It reports whether it scrolled there.
func (s *historySearch) arrive(c *Conversation) bool {
	q := c.target
	if q == nil || c.Saved.ID != "" && !c.Read.Loaded || c != s.page.Conversation() {
		return false
	}
	at := slices.IndexFunc(c.Thread.Turns, func(t store.Turn) bool { return t.ID == q.turn })
	switch {
	case at >= 0:
		c.target = nil
		from, to := c.Thread.Starts[at], c.Thread.End
		if at+1 < len(c.Thread.Starts) {
			to = c.Thread.Starts[at+1]
		}
		s.page.Transcript.Show(c.shown())
		s.page.Transcript.Flashes.Show(from, min(to, len(s.page.Transcript.View.Items)), strings.Fields(q.query))
		return true
	case c.Running():
		c.target = nil
		s.page.shell.Toasts.Say("info", "This match is in another version of the conversation. Open it when the answer is complete.")
	case q.switched:
		c.target = nil // deleted in the meantime
	default:
		q.switched = true
		s.page.Versions.showBranch(c, q.turn)
	}
	return false
}

// adopt adds saved conversations to the sidebar, and calls then with the index of the first.
func (l *loader) adopt(ids []string, then func(i int)) {
	var list []store.Conversation
	l.inBackground(func(ctx context.Context) (err error) {
		list, err = l.page.History.Store.Conversations(ctx)
		return err
	}, func() {
		for _, kept := range list {
			have := slices.ContainsFunc(l.page.Chats, func(c *Conversation) bool { return c.Saved.ID == kept.ID })
			if !have && slices.Contains(ids, kept.ID) {
				l.page.Chats = append(l.page.Chats, Remembered(kept))
			}
		}
		l.page.Sort()
		l.page.Refresh()
		if len(ids) > 0 {
			if i := slices.IndexFunc(l.page.Chats, func(c *Conversation) bool { return c.Saved.ID == ids[0] }); i >= 0 {
				then(i)
			}
		}
	})
}

// Remembered returns a saved conversation whose turns are not read yet.
func Remembered(kept store.Conversation) *Conversation {
	c := &Conversation{
		Saved: SavedState{
			ID: kept.ID, Title: kept.Title, Preview: view.PreviewLine(kept.Preview), Pinned: kept.Pinned,
			Order: kept.Used, Active: kept.Active, place: kept.Place, Choices: kept.Choices,
		},
		Began: kept.Updated, unsent: unsent{draft: kept.Draft},
	}
	c.Saved.identity.Set(kept.ID)
	return c
}
