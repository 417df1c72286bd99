package chats

import (
	"time"

	"goated/ui/view"
)

// An unread is the number of unread conversations, as last reported to the desktop or about to
// be. Only one goroutine reports it at a time, so the order is right.
type unread struct {
	n       int
	telling bool // the goroutine is running
}

// countUnread reports the number to the desktop if it has changed.
func (s *sideList) countUnread() {
	n := 0
	for _, c := range s.page.Chats {
		if c.Unread {
			n++
		}
	}
	if n == s.unread.n || s.page.on.Unread == nil {
		return
	}
	s.unread.n = n
	s.tellUnread()
}

func (s *sideList) tellUnread() {
	if s.unread.telling {
		return // the running goroutine reports the new number next
	}
	s.unread.telling = true
	n := s.unread.n
	s.page.shell.Go(func() {
		s.page.on.Unread(n)
		s.page.shell.Post(func() {
			s.unread.telling = false
			if s.unread.n != n {
				s.tellUnread()
			}
		})
	})
}

// longTurn is how long a turn must run for its end to cause a notification.
const longTurn = 10 * time.Second

// Look marks the shown conversation as read, unless a page covers it.
func (p *Page) Look() {
	if p.shell.Main.Page() == nil {
		p.Conversation().Unread = false
	}
	p.Side.List()
}

// ended marks a conversation as unread if the user did not see its turn end. It sends a
// notification if the turn was long and the user is away.
func (p *Page) ended(c *Conversation, shown bool) {
	gone := p.on.Away()
	c.Unread = !shown || gone
	if !gone || p.on.Notify == nil || p.shell.Now().Sub(c.Began) < longTurn {
		return
	}
	title, text := c.Heading(), view.LastAnswerLine(c.Chat)
	p.shell.Go(func() { p.on.Notify(title, text) })
}
