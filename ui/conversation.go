package ui

import (
	"cmp"
	"context"
	"sync"
	"time"

	"goated/agent"
	"goated/internal/chat"
	"goated/ui/view"
)

// A conversation is one chat and the session behind it. Its turn goes on while
// another conversation is shown. Everything but latest belongs to the UI
// goroutine.
type conversation struct {
	session *agent.Session
	chat    view.Chat
	saved   savedState
	read    readState
	thread  thread      // as it was when it was last read from the history
	visits  chat.Visits // of its branches

	cancel context.CancelFunc // of the turn under way; nil if none is
	latest outbox
	began  time.Time // the turn under way; or when the last one ended

	draft  string     // the text in the composer
	files  []attached // of the next message
	branch int        // index of the turn that the next message replaces, plus 1; 0: none
	quest  *quest     // what the transcript should show of it
	unread bool       // a turn ended while the user did not see it
}

// A savedState is what the history has of a conversation beside its turns.
type savedState struct {
	identity chat.Identity
	id       string // of identity; empty while nothing is saved
	title    string
	preview  string // the last message when the list was read
	place    string // where the reader is; see transcript.bearing
	pinned   bool
	active   string // the turn that the next one follows
	order    int64  // of last use, which does not depend on the clock; 0: not used yet
}

// A readState is how far a conversation was read from the history.
type readState struct {
	loaded  bool
	loading bool // the result will replace the chat
	taken   int  // how often the chat was replaced
}

// heading is the conversation's title.
func (c *conversation) heading() string {
	if c.saved.title != "" {
		return c.saved.title
	}
	return c.chat.Title()
}

// blank reports whether the conversation has nothing but perhaps a draft.
func (c *conversation) blank() bool {
	return len(c.chat.Items) == 0 && !c.running() && (c.saved.id == "" || c.read.loaded && len(c.thread.turns) == 0 && c.saved.title == "")
}

// said is the beginning of the last message or answer.
func (c *conversation) said() string {
	if len(c.chat.Items) == 0 && c.saved.id != "" && !c.read.loaded {
		return c.saved.preview
	}
	return view.LastSaid(c.chat)
}

// An outbox passes the newest state of a turn from the turn's goroutine to the UI
// goroutine. It is safe for concurrent use.
type outbox struct {
	mu   sync.Mutex
	chat view.Chat
	full bool // chat is new
	done bool // chat is the last state of its turn
	// The turn's id and title in the history. They travel with the state, so that
	// the id is known before the next message.
	id, title string
}

func (o *outbox) keep(id, title string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.id, o.title = id, title
}

func (o *outbox) put(chat view.Chat, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.chat, o.full, o.done = chat, true, done
}

// give updates c, and reports whether there was a new state and whether it was the
// turn's last.
func (o *outbox) give(c *conversation) (fresh, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.id != "" {
		c.saved.active = o.id
		c.saved.title = cmp.Or(o.title, c.saved.title)
		o.id = ""
	}
	if o.full {
		c.chat = o.chat
	}
	fresh, done = o.full, o.done
	o.full, o.done = false, false
	return fresh, done
}

// collect takes the newest state of the turn, and reports whether there was one.
func (c *conversation) collect() bool {
	fresh, done := c.latest.give(c)
	if done {
		c.cancel = nil
	}
	return fresh
}

func (c *conversation) running() bool { return c.cancel != nil }

// busy reports whether the conversation accepts no message and no change now.
func (c *conversation) busy() bool { return c.running() || c.read.loading || c.session == nil }
