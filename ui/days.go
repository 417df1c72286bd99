package ui

import (
	"time"

	"goated/ui/view"
)

// A listed is what the place of a conversation in the sidebar depends on.
type listed struct {
	c      *conversation
	pinned bool
	began  time.Time
}

// list shows the conversations in the sidebar, by day. With each update of an
// answer that streams it comes here, so where all are in their places, only what
// is in sight is looked at.
func (w *Window) list() {
	w.countUnread()
	now := w.now()
	r := w.sidebar.roster
	r.of = func(i int) heading {
		c := w.chats[i]
		return heading{
			title: c.heading(), preview: c.said(), when: view.Ago(c.began, now),
			running: c.running(), unread: c.unread, pinned: c.pinned,
		}
	}
	if w.inPlace() && r.at == w.current && now.Before(w.days.Until()) {
		r.Arrange(true)
		return
	}
	w.days = view.DaysAt(now)
	w.listed = w.listed[:0]
	for _, c := range w.chats {
		w.listed = append(w.listed, listed{c, c.pinned, c.began})
	}
	r.list(len(w.chats), func(i int) string {
		if c := w.chats[i]; !c.pinned {
			return w.days.Of(c.when(now))
		}
		return "Pinned"
	}, w.current)
}

// inPlace reports whether the sidebar has every conversation where it belongs.
func (w *Window) inPlace() bool {
	if len(w.listed) != len(w.chats) {
		return false
	}
	for i, c := range w.chats {
		if w.listed[i] != (listed{c, c.pinned, c.began}) {
			return false
		}
	}
	return true
}

// passDays has the sidebar follow the time: how long ago something was, and at
// midnight on which day. What stays the same is not drawn again.
func (w *Window) passDays() {
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return
		case <-minute.C:
			w.post(w.list)
		}
	}
}
