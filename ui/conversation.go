package ui

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
	"goated/ui/kit"
	"goated/ui/view"
)

// A conversation is one chat and the session behind it. Its turns go on while
// another conversation is shown. All but latest belongs to the UI goroutine.
type conversation struct {
	session *agent.Session
	chat    view.Chat
	draft   string             // what stands in the composer
	files   []attached         // that go with the next message
	unread  bool               // a turn has ended while nobody looked
	began   time.Time          // the turn under way; or when the last one ended
	order   int64              // of last use, whatever the clock says; 0: of none yet
	cancel  context.CancelFunc // of the turn under way; nil if none is

	// What is kept of it, where there is a history.
	identity chat.Identity
	id       string // as identity has it; empty until something is said or written
	title    string
	preview  string // of what was said last, as it was when the list was read
	place    string // where the reader is; see bearing
	quest    *quest // what is to be shown of it
	pinned   bool
	active   string      // the turn that the next one follows
	thread   thread      // as it was kept when it was last read
	branch   int         // of the turn whose place the next message takes, plus 1; 0: of none
	visits   chat.Visits // of its branches
	loaded   bool
	loading  bool // it is being read, and what is there will be replaced
	taken    int  // how often it was replaced

	latest outbox
}

// heading is the conversation's title.
func (c *conversation) heading() string {
	if c.title != "" {
		return c.title
	}
	return c.chat.Title()
}

// blank reports whether there is nothing in it but perhaps a draft.
func (c *conversation) blank() bool {
	return len(c.chat.Items) == 0 && !c.running() && (c.id == "" || c.loaded && len(c.thread.turns) == 0 && c.title == "")
}

// said is the beginning of what was said last.
func (c *conversation) said() string {
	if len(c.chat.Items) == 0 && c.id != "" && !c.loaded {
		return c.preview
	}
	return view.LastSaid(c.chat)
}

// An outbox holds the newest state of a turn, from the turn's goroutine for the
// UI goroutine. It is safe for concurrent use.
type outbox struct {
	mu   sync.Mutex
	chat view.Chat
	full bool // there is something new
	done bool // and it is the last of its turn
	// How the turn is kept, and what it titles the conversation: with the state, so
	// that nothing is said after a turn before it is known which one that is.
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

// give hands over to c what is new, and reports whether there is a state, and the
// last one.
func (o *outbox) give(c *conversation) (fresh, done bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.id != "" {
		c.active = o.id
		c.title = firstOf(o.title, c.title)
		o.id = ""
	}
	if o.full {
		c.chat = o.chat
	}
	fresh, done = o.full, o.done
	o.full, o.done = false, false
	return fresh, done
}

// collect takes what the turn has published since, and reports whether there was
// anything.
func (c *conversation) collect() bool {
	fresh, done := c.latest.give(c)
	if done {
		c.cancel = nil
	}
	return fresh
}

func (c *conversation) running() bool { return c.cancel != nil }

// busy reports whether nothing can be said in it or changed of it now.
func (c *conversation) busy() bool { return c.running() || c.loading || c.session == nil }

// turn starts a turn on a goroutine of its own, which the window waits for. The
// parts may have the names of files, which are kept and which no model gets.
func (p *chatPage) turn(c *conversation, parts ...*genai.Part) {
	ctx, cancel := context.WithCancel(p.shell.ctx)
	c.cancel = cancel
	c.began, c.order = p.shell.now(), p.later()
	shown := c.chat
	saved := false
	turn := chat.Turn{
		Session: c.session, History: p.history, Conversation: &c.identity, Parent: c.active, Parts: parts,
		OnConversation: func(id string) { p.shell.post(func() { p.name(c, id) }) },
		OnBegin: func(id, title string) {
			saved = true
			c.latest.keep(id, title)
			p.on.Change()
		},
		OnLost: p.lost,
	}
	p.shell.begin(func() {
		defer cancel()
		for event, err := range turn.Run(ctx) {
			if err != nil {
				shown = shown.Fail(err)
			} else {
				shown = shown.Apply(event)
			}
			c.latest.put(shown, false)
			p.on.Change()
		}
		c.latest.put(shown, true)
		p.on.Change()
		if saved {
			p.shell.post(func() {
				p.refresh() // the turn has ended there, too
				p.loader.reload(c)
			})
		}
	})
	p.sort()
	p.refresh()
	if c == p.conversation() {
		p.scrolled() // to the end, where the answer comes
	}
}

// lost tells the user that a turn, or its end, is not saved.
func (p *chatPage) lost(end bool, err error) {
	text := "This turn is not kept: %s"
	if end {
		text = "The end of this turn is not kept: %s"
	}
	p.shell.post(func() { p.shell.toasts.Say("alert", fmt.Sprintf(text, view.Sentence(err.Error()))) })
}

// send says text in the conversation that is shown.
func (p *chatPage) send(text string) {
	c := p.conversation()
	if c.busy() {
		p.composer.fill(text) // which has given it up
		p.loader.load(c)      // if that has failed before
		return
	}
	var parts []*genai.Part
	var shown []view.Attachment
	for _, a := range c.files {
		parts = append(parts, a.part)
		shown = append(shown, a.Attachment)
	}
	if text != "" {
		parts = append(parts, genai.NewPartFromText(text))
	}
	if len(parts) == 0 {
		return
	}
	c.files = nil
	p.files.showFiles()
	if at := c.branch - 1; at >= 0 && at < len(c.thread.turns) {
		c.branch = 0
		p.versions.instead(c, at, parts)
		return
	}
	c.chat = c.chat.Retract().Say(text, shown...)
	p.transcript.stick = true
	p.turn(c, parts...)
}

// retry goes on from the history after a failure.
func (p *chatPage) retry() {
	c := p.conversation()
	if c.busy() {
		return
	}
	c.chat = c.chat.Retract()
	p.transcript.stick = true
	p.turn(c)
}

// stop cancels the turn of the conversation that is shown.
func (p *chatPage) stop() {
	if c := p.conversation(); c.running() {
		c.cancel()
	}
}

// spent says what the conversation that is shown took until now.
func (p *chatPage) spent() string {
	if s := p.conversation().chat.Spent.String(); s != "" {
		return fmt.Sprintf("This conversation took %s.", s)
	}
	return "This conversation took no tokens yet."
}

// newChat shows an empty conversation; the one that is shown, if it is empty.
func (p *chatPage) newChat() {
	if len(p.chats) > 0 && p.conversation().blank() {
		kit.Focus(p.composer.input)
		return
	}
	p.chats = append(p.chats, &conversation{session: p.on.NewSession()})
	p.choose(len(p.chats) - 1)
}

// choose shows a conversation.
func (p *chatPage) choose(i int) {
	if i != p.current && p.current < len(p.chats) && len(p.transcript.items) > 0 {
		p.scrolled()
	}
	p.current = i
	c := p.conversation()
	c.unread = false
	c.branch = 0
	p.loader.load(c)
	p.transcript.reset()
	p.composer.fill(c.draft)
	p.files.showFiles()
	p.refresh()
	if !p.search.arrive(c) {
		p.transcript.bear(c.place)
	}
	kit.Focus(p.composer.input)
}

// refresh draws the present state of everything that a turn can change. It is
// idempotent.
func (p *chatPage) refresh() {
	ended := false
	for i, c := range p.chats {
		if !c.running() {
			continue
		}
		if c.collect(); !c.running() {
			p.ended(c, i == p.current)
			c.began, c.order, ended = p.shell.now(), p.later(), true
		}
	}
	if ended {
		p.sort()
	}
	p.side.list()
	c := p.conversation()
	p.on.Title(c.heading())
	p.composer.run(c.running())
	p.transcript.live = c.running()
	p.transcript.show(c.chat)
}
