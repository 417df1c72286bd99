package ui

import (
	"time"

	"goated/ui/view"
)

// A listed is everything that decides the place of a conversation in the sidebar.
type listed struct {
	c      *conversation
	pinned bool
	began  time.Time
}

// A sideList keeps the sidebar as the conversations are.
type sideList struct {
	page   *chatPage
	days   view.Days // as the sidebar shows them
	listed []listed  // likewise
	unread unread    // as the desktop knows it
}

// list shows the conversations in the sidebar, by day. Each update of a streaming
// answer calls it, so while all places stay, it looks at the visible rows only.
func (s *sideList) list() {
	s.countUnread()
	now := s.page.shell.Now()
	r := s.page.sidebar.roster
	r.of = func(i int) heading {
		c := s.page.chats[i]
		return heading{
			title: c.heading(), preview: c.said(), when: view.Ago(c.began, now),
			running: c.running(), unread: c.unread, pinned: c.saved.pinned,
		}
	}
	if s.inPlace() && r.at == s.page.current && now.Before(s.days.Until()) {
		r.Arrange(true)
		return
	}
	s.days = view.DaysAt(now)
	s.listed = s.listed[:0]
	for _, c := range s.page.chats {
		s.listed = append(s.listed, listed{c, c.saved.pinned, c.began})
	}
	r.list(len(s.page.chats), func(i int) string {
		if c := s.page.chats[i]; !c.saved.pinned {
			return s.days.Of(c.when(now))
		}
		return "Pinned"
	}, s.page.current)
}

// inPlace reports whether the sidebar has every conversation where it belongs.
func (s *sideList) inPlace() bool {
	if len(s.listed) != len(s.page.chats) {
		return false
	}
	for i, c := range s.page.chats {
		if s.listed[i] != (listed{c, c.saved.pinned, c.began}) {
			return false
		}
	}
	return true
}

// passDays updates the sidebar each minute: the ages, and at midnight the days. What stays the same is not drawn again.
func (s *sideList) passDays() {
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		select {
		case <-s.page.shell.Ctx.Done():
			return
		case <-minute.C:
			s.page.shell.Post(s.list)
		}
	}
}
