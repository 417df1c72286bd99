package chats

import (
	"time"

	"goated/ui/view/format"
)

// A listed is everything that determines the place of a conversation in the sidebar.
type listed struct {
	c      *Conversation
	pinned bool
	began  time.Time
}

// A sideList updates the sidebar to the current conversations.
type sideList struct {
	page   *Page
	days   format.Days // the days that the sidebar shows
	listed []listed    // the order that the sidebar shows
	unread unread      // the number that the desktop shows
}

// List shows the conversations in the sidebar, by day. Each update of a streaming answer calls
// it, so it updates only the visible rows as long as the order does not change.
func (s *sideList) List() {
	s.countUnread()
	now := s.page.shell.Now()
	r := s.page.Sidebar.List
	front := s.page.Current
	if s.page.shell.Main.Page() != nil {
		front = -1 // a page covers the conversation
	}
	r.of = func(i int) convHeading {
		c := s.page.Chats[i]
		asks := c.asking() != nil // while it waits for the user, no spinner turns
		return convHeading{
			title: c.Heading(), preview: c.said(), when: format.Ago(c.Began, now),
			running: c.Running() && !asks, unread: c.Unread, pinned: c.Saved.Pinned, asks: asks && i != front,
		}
	}
	r.at = front
	if s.inPlace() && r.conv == s.page.Conversation() && now.Before(s.days.Until()) {
		r.Arrange(true)
		return
	}
	s.days = format.DaysAt(now)
	s.listed = s.listed[:0]
	for _, c := range s.page.Chats {
		s.listed = append(s.listed, listed{c, c.Saved.Pinned, c.Began})
	}
	r.list(len(s.page.Chats), func(i int) string {
		if c := s.page.Chats[i]; !c.Saved.Pinned {
			return s.days.Name(c.when(now))
		}
		return "Pinned"
	}, s.page.Current, s.page.Conversation())
}

// inPlace reports whether the order in the sidebar is up to date.
func (s *sideList) inPlace() bool {
	if len(s.listed) != len(s.page.Chats) {
		return false
	}
	for i, c := range s.page.Chats {
		if s.listed[i] != (listed{c, c.Saved.Pinned, c.Began}) {
			return false
		}
	}
	return true
}

// PassDays updates the sidebar each minute: the ages, and the days at midnight. It does not
// redraw unchanged rows.
func (s *sideList) PassDays() {
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		select {
		case <-s.page.shell.Ctx.Done():
			return
		case <-minute.C:
			s.page.shell.Post(s.List)
		}
	}
}
