package ui

import (
	"slices"
	"strings"
	"time"

	"goated/ui/chats"
	"goated/ui/view/format"
)

// A leaving is a server that a profile has turned off while turns are running. It stays
// connected until they end, because its tools were declared to their models.
type leaving struct {
	turns map[*chats.Conversation]time.Time // when each began
	off   func() bool                       // reports whether the server is still off
	end   func()
}

// underWay returns the running turns of all conversations other than except, with the times
// when they began.
func (p profiles) underWay(except *chats.Conversation) map[*chats.Conversation]time.Time {
	turns := make(map[*chats.Conversation]time.Time)
	for _, c := range p.win.chats.Chats {
		if c.Running() && c != except {
			turns[c] = c.Began
		}
	}
	return turns
}

// leave disconnects the servers whose turns have ended.
func (p profiles) leave() {
	now := p.underWay(nil)
	p.win.pages.leaving = slices.DeleteFunc(p.win.pages.leaving, func(l leaving) bool {
		for c, began := range l.turns {
			if at, running := now[c]; running && at.Equal(began) {
				return false
			}
		}
		if l.off() {
			l.end()
		}
		return true
	})
}

// staying returns a sentence that names the servers that stay for a while, or "" if there are
// none.
func staying(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return format.Plural(len(names), "%[2]s stays on until the answers under way are complete", "%[2]s stay on until the answers under way are complete", strings.Join(names, ", "))
}
