package ui

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A chatList holds the conversations. One of them is shown; until the first
// exists, the list has no valid state.
type chatList struct {
	chats   []*conversation // as the sidebar shows them, from below
	current int             // the index of the shown one
	order   int64           // of the conversation that was used last
}

// conversation is the shown conversation.
func (l *chatList) conversation() *conversation { return l.chats[l.current] }

// sort orders the conversations as the sidebar shows them, from below: pinned
// ones last, then by last use.
func (l *chatList) sort() {
	shown := l.conversation()
	slices.SortStableFunc(l.chats, func(a, b *conversation) int {
		if a.saved.pinned != b.saved.pinned {
			if b.saved.pinned {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.used(), b.used())
	})
	l.current = slices.Index(l.chats, shown)
}

// used is the order of last use; an empty conversation is always last.
func (c *conversation) used() int64 {
	if c.saved.order == 0 {
		return math.MaxInt64
	}
	return c.saved.order
}

// when is the time of last use; an empty conversation is always new.
func (c *conversation) when(now time.Time) time.Time {
	if c.began.IsZero() {
		return now
	}
	return c.began
}

// later returns an order after that of all conversations, also deleted ones.
func (l *chatList) later() int64 {
	for _, c := range l.chats {
		l.order = max(l.order, c.saved.order)
	}
	l.order++
	return l.order
}
