package chats

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A chatList holds the conversations. One of them is shown; until the first
// exists, the list has no valid state.
type chatList struct {
	Chats   []*Conversation // as the sidebar shows them, from below
	Current int             // the index of the shown one
	order   int64           // of the conversation that was used last
}

// Conversation returns the shown conversation.
func (l *chatList) Conversation() *Conversation { return l.Chats[l.Current] }

// Sort orders the conversations as the sidebar shows them, from below: pinned
// ones last, then by last use.
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

// used returns the order of last use; an empty conversation is always last.
func (c *Conversation) used() int64 {
	if c.Saved.Order == 0 {
		return math.MaxInt64
	}
	return c.Saved.Order
}

// when returns the time of last use; an empty conversation is always new.
func (c *Conversation) when(now time.Time) time.Time {
	if c.Began.IsZero() {
		return now
	}
	return c.Began
}

// Later returns an order number after all conversations, including deleted ones.
func (l *chatList) Later() int64 {
	for _, c := range l.Chats {
		l.order = max(l.order, c.Saved.Order)
	}
	l.order++
	return l.order
}
