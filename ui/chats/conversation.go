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

// A Conversation is one chat and its session. A running turn continues while another conversation
// is shown. Its fields belong to the UI goroutine, except latest, Saved.identity and Saved.writes.
type Conversation struct {
	Session *agent.Session
	Chat    view.Chat
	Saved   SavedState
	Read    readState
	Thread  Thread             // the state that was last read from the history
	visits  chat.ShownBranches // the branches that were last shown

	Cancel context.CancelFunc // cancels the running turn; nil if none is running
	latest latestState
	Began  time.Time // when the running turn began, or when the last turn ended

	unsent
	waits  waiting         // what happens at the end of the turn
	target *target         // the place that the transcript should scroll to
	Unread bool            // a turn ended while the user did not see the conversation
	asks   []*openQuestion // the open questions, in the order of their arrival; the transcript shows one of them
	front  *openQuestion   // the question that the user chose; nil if none
}

// An unsent is the message that the user has begun to write.
type unsent struct {
	draft   string        // the text in the composer
	Files   []Attached    // attached to the next message
	kept    []*genai.Part // the files that are saved in the history, or will be soon
	reading int           // the number of files that are still being read
	hurry   bool          // the message is sent as soon as they are read
	edit    *unfinished   // an edit in place that was left when another conversation was shown
	edits   editDrafts
}

// A SavedState is what the history stores about a conversation besides its turns.
type SavedState struct {
	identity chat.Identity
	ID       string // the id of identity; empty while nothing is saved
	Title    string
	Preview  string // the last message at the time the list was read
	place    string // the scroll position; see ScrollPos of ui/transcript
	Pinned   bool
	Active   string // the turn that the next turn follows
	Choices  store.Choices
	model    agent.Model // the model that the user chose for this conversation; nil: the model of new conversations
	switched bool        // from the next turn on, model answers
	unkept   bool        // Choices is not saved in the history
	writes   choiceWrites
	Order    int64 // the order of last use, independent of the clock; 0: not used yet
}

// A readState is how much of a conversation was read from the history.
type readState struct {
	Loaded  bool
	Loading bool // a read is in progress, and its result will replace the chat
	taken   int  // how many times the chat was replaced
	lost    bool // the window shows a turn that is missing in the history
}

// Heading returns the conversation's title.
func (c *Conversation) Heading() string {
	if c.Saved.Title != "" {
		return c.Saved.Title
	}
	return c.Chat.Title()
}

// Blank reports whether the conversation is empty, except for a draft.
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
	return view.LastMessage(c.Chat)
}

// Beside returns the text that the palette shows beside the title: the beginning of the last
// message or answer, and its age.
func (c *Conversation) Beside(now time.Time) string {
	said := c.said()
	if said == c.Heading() {
		said = ""
	}
	return strings.Trim(format.Cut(said, 32)+" · "+format.Ago(c.Began, now), " ·")
}

// A latestState passes the newest state of a turn from the turn's goroutine to the UI
// goroutine. It is safe for concurrent use.
type latestState struct {
	mu   sync.Mutex
	chat view.Chat
	full bool // chat contains a new state
	done bool // chat is the final state of the turn
	// Only the UI goroutine uses the following two fields: the name of the model that answers
	// while the conversation is shown, and the time of the last event of the turn.
	model string
	heard time.Time
	// The turn's id and title in the history. They are passed with the state, so that the id is
	// known before the next message is sent.
	id, title string
}

func (s *latestState) setTurn(id, title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.id, s.title = id, title
}

func (s *latestState) put(chat view.Chat, done bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chat, s.full, s.done = chat, true, done
}

// give updates c. It reports whether there was a new state, and whether that state was the last
// of the turn.
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

// collect takes the newest state of the turn. It reports whether there was a new one.
func (c *Conversation) collect() bool {
	fresh, done := c.latest.give(c)
	if done {
		c.Cancel = nil
	}
	return fresh
}

func (c *Conversation) Running() bool { return c.Cancel != nil }

// busy reports whether the conversation currently accepts no message and no change.
func (c *Conversation) busy() bool { return c.Running() || c.Read.Loading || c.Session == nil }

// failure returns the failure at the end of the conversation, or nil.
func (c *Conversation) failure() *view.Failure {
	if n := c.Chat.Len(); n > 0 {
		if f, ok := c.Chat.At(n - 1).(view.Failure); ok {
			return &f
		}
	}
	return nil
}
