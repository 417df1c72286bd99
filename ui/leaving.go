package ui

import (
	"slices"
	"strings"
	"time"

	"goated/ui/chats"
	"goated/ui/view/format"
)

// A leavingServer is a server that a profile has turned off while turns are running. It stays
// connected until they end, because its tools were declared to their models.
type leavingServer struct {
	turns map[*chats.Conversation]time.Time // when each began
	off   func() bool                       // reports whether the server is still off
	end   func()
}

// runningTurns returns the running turns of all conversations other than except, with the times
// when they began.
func (p profiles) runningTurns(except *chats.Conversation) map[*chats.Conversation]time.Time {
	turns := make(map[*chats.Conversation]time.Time)
	for _, c := range p.win.chats.Chats {
		if c.Running() && c != except {
			turns[c] = c.Began
		}
	}
	return turns
}

// disconnectFinished disconnects the servers whose turns have ended.
func (p profiles) disconnectFinished() {
	now := p.runningTurns(nil)
	p.win.pages.leaving = slices.DeleteFunc(p.win.pages.leaving, func(l leavingServer) bool {
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

// stayingText returns a sentence that names the servers that stay for a while, or "" if there are
// none.
func stayingText(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return format.Plural(len(names), "%[2]s stays on until the answers under way are complete", "%[2]s stay on until the answers under way are complete", strings.Join(names, ", "))
}
