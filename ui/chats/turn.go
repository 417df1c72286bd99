package chats

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/genai"

	"goated/internal/chat"
	"goated/internal/errtext"
	"goated/internal/store"
	"goated/ui/view"
)

// turn starts a turn on its own goroutine, which the window waits for. The parts may contain the
// names of files, which are saved in the history but not sent to the model. next reports whether
// the turn continues the conversation; otherwise the turn is another version of a message.
func (p *Page) turn(c *Conversation, next bool, parts ...*genai.Part) {
	p.Questions.closeAgain(c)
	ctx, cancel := context.WithCancel(p.shell.Ctx)
	c.Cancel = cancel
	c.Began, c.Saved.Order = p.shell.Now(), p.Later()
	c.latest.heard = c.Began
	if c.Session.Approve == nil {
		c.Session.Approve = p.Questions.Approve(c)
	}
	p.on.Talk.Begin(c)
	p.Choices.prepare(c)
	shown := c.Chat
	saved, behind := false, false
	turn := chat.Turn{
		Session: c.Session, History: p.History.Store, Conversation: &c.Saved.identity, Parent: c.Saved.Active, Parts: parts, Next: next,
		OnMoved: func(kept store.Thread) {
			text, files := splitMessage(parts)
			shown = restoreLive(kept).chat.Retract().Say(text, files...)
			c.latest.put(shown, false)
			p.History.Loader.Other.tell()
		},
		OnConversation: func(id string) { p.shell.Post(func() { p.name(c, id) }) },
		OnBegin: func(id, title string) {
			saved = true
			c.latest.setTurn(id, title)
			p.on.Change()
		},
		OnLost: p.lost,
	}
	p.shell.Go(func() {
		defer cancel()
		for event, err := range turn.Run(ctx) {
			if err != nil {
				behind = errors.Is(err, store.ErrContinuedElsewhere)
				shown = shown.Fail(err)
			} else {
				shown = shown.Apply(event)
			}
			c.latest.put(shown, false)
			p.on.Change()
		}
		c.latest.put(shown, true)
		p.on.Change()
		p.shell.Post(func() {
			p.Refresh() // first, so that the turn has ended here too
			switch {
			case saved:
				p.History.Loader.reload(c)
			case behind:
				p.History.Loader.Other.catchUp(c)
			default:
				c.Read.lost = p.History.Store != nil
			}
		})
	})
	p.Sort()
	p.Refresh()
	if c == p.Conversation() {
		p.Scrolled() // sending scrolls to the end
	}
}

// lost tells the user that a turn, or its end, is not saved.
func (p *Page) lost(end bool, err error) {
	text := "This turn is not saved: %s"
	if end {
		text = "The end of this turn is not saved: %s"
	}
	p.shell.Post(func() { p.shell.Toasts.Say("alert", fmt.Sprintf(text, errtext.PlainSentence(err))) })
}

// Send sends a message in the shown conversation, or queues it until the turn ends. While a file
// is still being read, the message waits in the composer. Pressing Enter again sends the message
// without the file.
func (p *Page) Send(text string) {
	c := p.Conversation()
	if c.reading > 0 && !c.hurry {
		c.hurry = true
		p.putBack(c, text) // the composer is empty after On.Send
		p.Composer.hint.Set("goated sends it after it reads the file")
		return
	}
	p.deliver(c, text)
}

// deliver sends a message with the files of its conversation.
func (p *Page) deliver(c *Conversation, text string) {
	c.hurry = false
	switch {
	case c.Running():
		p.enqueue(c, text)
		return
	case c.busy():
		p.putBack(c, text)
		p.History.Loader.load(c) // tries again if loading failed
		return
	}
	files := c.Files
	c.Files = nil
	p.keepDraft(c)
	p.Files.ShowFiles()
	p.send(c, text, files)
}

// send sends a message in a conversation without a running turn.
func (p *Page) send(c *Conversation, text string, files []Attached) {
	parts := appendParts(nil, files)
	var shown []view.Attachment
	for _, a := range files {
		shown = append(shown, a.Attachment)
	}
	if text != "" {
		parts = append(parts, genai.NewPartFromText(text))
	}
	if len(parts) == 0 {
		return
	}
	c.say(parts, text, shown)
	if c == p.Conversation() {
		p.Transcript.View.Stick = p.Transcript.Edited() == nil
	}
	p.turn(c, true, parts...)
}

// retry continues the shown conversation from its history. If the failed turn is not saved yet,
// it continues once the turn is saved.
func (p *Page) retry() {
	switch c := p.Conversation(); {
	case !c.busy():
		p.again(c)
	case c.Running() && c.failure() != nil:
		c.waits.then = func() { p.again(c) }
	}
}

// again continues a conversation from its history.
func (p *Page) again(c *Conversation) {
	c.Chat = c.Chat.Retract()
	if c == p.Conversation() {
		p.Transcript.View.Stick = true
	}
	p.turn(c, true)
}

// Stop cancels the turn of the shown conversation.
func (p *Page) Stop() {
	if c := p.Conversation(); c.Running() {
		c.Cancel()
	}
}

// Spent returns a sentence about the tokens that the shown conversation used, and their cost.
func (p *Page) Spent() string {
	if s := p.Conversation().Chat.Spent.String(); s != "" {
		return fmt.Sprintf("This conversation used %s.", s)
	}
	return "This conversation has used no tokens yet."
}
