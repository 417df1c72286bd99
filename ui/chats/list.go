package chats

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A chatList holds the conversations. One of them is shown. The list is valid only once it
// contains a conversation.
type chatList struct {
	Chats   []*Conversation // in the order of the sidebar, from the bottom
	Current int             // the index of the shown conversation
	order   int64           // the order number of the most recently used conversation
}

// Conversation returns the shown conversation.
func (l *chatList) Conversation() *Conversation { return l.Chats[l.Current] }

// Sort orders the conversations as in the sidebar, from the bottom: by last use, with pinned ones
// last.
func (l *chatList) Sort() {
	shown := l.Conversation()
	slices.SortStableFunc(l.Chats, func(a, b *Conversation) int {
		if a.Saved.Pinned != b.Saved.Pinned {
			if b.Saved.Pinned {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.used(), b.used())
	})
	l.Current = slices.Index(l.Chats, shown)
}

// used returns the order of last use. An empty conversation is always last.
func (c *Conversation) used() int64 {
	if c.Saved.Order == 0 {
		return math.MaxInt64
	}
	return c.Saved.Order
}

// when returns the time of last use. An empty conversation counts as new.
func (c *Conversation) when(now time.Time) time.Time {
	if c.Began.IsZero() {
		return now
	}
	return c.Began
}

// Later returns an order number that comes after all conversations, including deleted ones.
func (l *chatList) Later() int64 {
	for _, c := range l.Chats {
		l.order = max(l.order, c.Saved.Order)
	}
	l.order++
	return l.order
}
