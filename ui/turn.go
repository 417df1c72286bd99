package ui

import (
	"context"
	"fmt"

	"google.golang.org/genai"

	"goated/internal/chat"
	"goated/ui/view"
)

// turn starts a turn on its own goroutine, which the window waits for. Parts may
// have the names of files: the history gets them, the model does not.
func (p *chatPage) turn(c *conversation, parts ...*genai.Part) {
	ctx, cancel := context.WithCancel(p.shell.Ctx)
	c.cancel = cancel
	c.began, c.saved.order = p.shell.Now(), p.later()
	shown := c.chat
	saved := false
	turn := chat.Turn{
		Session: c.session, History: p.history, Conversation: &c.saved.identity, Parent: c.saved.active, Parts: parts,
		OnConversation: func(id string) { p.shell.Post(func() { p.name(c, id) }) },
		OnBegin: func(id, title string) {
			saved = true
			c.latest.keep(id, title)
			p.on.Change()
		},
		OnLost: p.lost,
	}
	p.shell.Go(func() {
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
			p.shell.Post(func() {
				p.refresh() // first, so that the turn has ended here too
				p.loader.reload(c)
			})
		}
	})
	p.sort()
	p.refresh()
	if c == p.conversation() {
		p.scrolled() // sending scrolls to the end
	}
}

// lost tells the user that a turn, or its end, is not saved.
func (p *chatPage) lost(end bool, err error) {
	text := "This turn is not kept: %s"
	if end {
		text = "The end of this turn is not kept: %s"
	}
	p.shell.Post(func() { p.shell.Toasts.Say("alert", fmt.Sprintf(text, view.Sentence(err.Error()))) })
}

// send sends a message in the shown conversation.
func (p *chatPage) send(text string) {
	c := p.conversation()
	if c.busy() {
		p.composer.fill(text) // the composer is empty after OnSend
		p.loader.load(c)      // again, if it failed
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
	p.transcript.Stick = true
	p.turn(c, parts...)
}

// retry continues from the history after a failure.
func (p *chatPage) retry() {
	c := p.conversation()
	if c.busy() {
		return
	}
	c.chat = c.chat.Retract()
	p.transcript.Stick = true
	p.turn(c)
}

// stop cancels the turn of the shown conversation.
func (p *chatPage) stop() {
	if c := p.conversation(); c.running() {
		c.cancel()
	}
}

// spent says how many tokens the shown conversation took, and their cost.
func (p *chatPage) spent() string {
	if s := p.conversation().chat.Spent.String(); s != "" {
		return fmt.Sprintf("This conversation took %s.", s)
	}
	return "This conversation took no tokens yet."
}
