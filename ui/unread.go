package ui

// An unread is the number of conversations with something new, as the desktop
// has been told or will be: by one goroutine at a time, the last number last.
type unread struct {
	n       int
	telling bool // that goroutine is under way
}

// countUnread tells the desktop where the number has changed.
func (w *Window) countUnread() {
	n := 0
	for _, c := range w.chats {
		if c.unread {
			n++
		}
	}
	if n == w.unread.n || w.options.Unread == nil {
		return
	}
	w.unread.n = n
	w.tellUnread()
}

func (w *Window) tellUnread() {
	if w.unread.telling {
		return // which comes back to it
	}
	w.unread.telling = true
	n := w.unread.n
	w.begin(func() {
		w.options.Unread(n)
		w.post(func() {
			w.unread.telling = false
			if w.unread.n != n {
				w.tellUnread()
			}
		})
	})
}
