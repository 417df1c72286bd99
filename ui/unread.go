package ui

// An unread is the number of conversations with something new, as the desktop
// has been told or will be: by one goroutine at a time, the last number last.
type unread struct {
	n       int
	telling bool // that goroutine is under way
}

// countUnread tells the desktop where the number has changed.
func (s *sideList) countUnread() {
	n := 0
	for _, c := range s.page.chats {
		if c.unread {
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
		return // which comes back to it
	}
	s.unread.telling = true
	n := s.unread.n
	s.page.shell.begin(func() {
		s.page.on.Unread(n)
		s.page.shell.post(func() {
			s.unread.telling = false
			if s.unread.n != n {
				s.tellUnread()
			}
		})
	})
}
