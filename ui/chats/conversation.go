package chats

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A Conversation is one chat and its session. Its turn goes on while
// another conversation is shown. Everything but latest belongs to the UI
// goroutine.
type Conversation struct {
	Session *agent.Session
	Chat    view.Chat
	Saved   SavedState
	Read    readState
	Thread  Thread      // as it was when it was last read from the history
	visits  chat.Visits // of its branches

	Cancel context.CancelFunc // of the turn under way; nil if none is
	latest latestState
	Began  time.Time // the turn under way; or when the last one ended

	unsent
	waits  waiting         // for the end of the turn
	target *target         // what the transcript should show of it
	Unread bool            // a turn ended while the user did not see it
	asks   []*openQuestion // its open questions, in the order of their arrival; the transcript shows one
	front  *openQuestion   // the one that the user chose; nil: none
}

// An unsent is what the user has begun to say.
type unsent struct {
	draft   string        // the text in the composer
	Files   []Attached    // of the next message
	kept    []*genai.Part // the files that the history has, or gets soon
	reading int           // files of it that are still read
	hurry   bool          // it is sent when they are
	edit    *unfinished   // an edit in place, while another conversation is shown
	edits   editDrafts
}

// A SavedState is what the history has of a conversation beside its turns.
type SavedState struct {
	identity chat.Identity
	ID       string // of identity; empty while nothing is saved
	Title    string
	Preview  string // the last message when the list was read
	place    string // where the reader is; see ScrollPos of ui/transcript
	Pinned   bool
	Active   string // the turn that the next one follows
	Choices  store.Choices
	model    agent.Model // the user's choice for it; nil: the model of new conversations
	switched bool        // model answers from the next turn on
	unkept   bool        // the history lacks Choices
	Order    int64       // of last use, which does not depend on the clock; 0: not used yet
}

// A readState is how far a conversation was read from the history.
type readState struct {
	Loaded  bool
	Loading bool // the result will replace the chat
	taken   int  // how often the chat was replaced
	lost    bool // the history lacks a turn of it that the window shows
}

// Heading returns the conversation's title.
func (c *Conversation) Heading() string {
	if c.Saved.Title != "" {
		return c.Saved.Title
	}
	return c.Chat.Title()
}

// Blank reports whether the conversation has nothing but perhaps a draft.
func (c *Conversation) Blank() bool {
	return c.Chat.Len() == 0 && !c.Running() && (c.Saved.ID == "" || c.Read.Loaded && len(c.Thread.Turns) == 0 && c.Saved.Title == "")
}

// said returns the beginning of the last message or answer.
func (c *Conversation) said() string {
	if c.Chat.Len() == 0 && c.Saved.ID != "" && !c.Read.Loaded {
		return c.Saved.Preview
	}
	if o := c.asking(); o != nil {
		return o.Preview()
	}
	if waits := c.Chat.Wait.Text(); waits != "" {
		return waits
	}
	return view.LastSaid(c.Chat)
}

// Beside returns what the palette shows beside the title: the beginning of the last message or
// answer, and how long ago that was.
func (c *Conversation) Beside(now time.Time) string {
	said := c.said()
	if said == c.Heading() {
		said = ""
	}
	return strings.Trim(format.Cut(said, 32)+" · "+view.Ago(c.Began, now), " ·")
}

// A latestState passes the newest state of a turn from the turn's goroutine to the UI
// goroutine. It is safe for concurrent use.
type latestState struct {
	mu   sync.Mutex
	chat view.Chat
	full bool // chat is new
	done bool // chat is the last state of its turn
	// Of the UI goroutine alone: the model that is asked while the conversation is shown, and
	// when the turn had its last news.
	model string
	heard time.Time
	// The turn's id and title in the history. They travel with the state, so that
	// the id is known before the next message.
	id, title string
}

func (s *latestState) keep(id, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.title = id, title
}

func (s *latestState) put(chat view.Chat, done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chat, s.full, s.done = chat, true, done
}

// give updates c, and reports whether there was a new state and whether it was the
// turn's last.
func (s *latestState) give(c *Conversation) (fresh, done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.id != "" {
		c.Saved.Active = s.id
		c.Saved.Title = cmp.Or(s.title, c.Saved.Title)
		s.id = ""
	}
	if s.full {
		c.Chat = s.chat
	}
	fresh, done = s.full, s.done
	s.full, s.done = false, false
	return fresh, done
}

// collect takes the newest state of the turn, and reports whether there was one.
func (c *Conversation) collect() bool {
	fresh, done := c.latest.give(c)
	if done {
		c.Cancel = nil
	}
	return fresh
}

func (c *Conversation) Running() bool { return c.Cancel != nil }

// busy reports whether the conversation accepts no message and no change now.
func (c *Conversation) busy() bool { return c.Running() || c.Read.Loading || c.Session == nil }

// failure returns the failure at the end of a conversation, or nil.
func (c *Conversation) failure() *view.Failure {
	if n := c.Chat.Len(); n > 0 {
		if f, ok := c.Chat.At(n - 1).(view.Failure); ok {
			return &f
		}
	}
	return nil
}
