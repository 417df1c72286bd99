package chats

import "goated/ui/kit"

// NewChat shows an empty conversation. If the shown one is empty, it stays.
func (p *Page) NewChat() {
	if len(p.Chats) > 0 && p.Conversation().Blank() {
		p.on.Front()
		kit.Focus(p.Composer.Input)
		return
	}
	p.Chats = append(p.Chats, &Conversation{Session: p.on.NewSession()})
	p.Choose(len(p.Chats) - 1)
}

// Choose shows a conversation.
func (p *Page) Choose(i int) {
	if i != p.Current && p.Current < len(p.Chats) && len(p.Transcript.View.Items) > 0 {
		p.Scrolled()
	}
	p.Versions.leave()
	p.Current = i
	p.on.Front()
	c := p.Conversation()
	c.Unread = false
	if o := c.asking(); o != nil {
		o.Appear()
	}
	p.History.Loader.load(c)
	p.Transcript.Reset()
	p.Composer.Fill(c.draft)
	p.Files.ShowFiles()
	p.Refresh()
	if !p.Search.arrive(c) {
		p.Transcript.View.SetScrollPos(c.Saved.place)
	}
	kit.Focus(p.Composer.Input)
	p.Versions.resume(c)
}

// Refresh redraws everything that a turn can change. It is idempotent.
func (p *Page) Refresh() {
	defer p.shell.Toasts.Settle() // a question may have appeared or closed
	ended := false
	for i, c := range p.Chats {
		if !c.Running() {
			continue
		}
		if c.collect() {
			c.latest.heard = p.shell.Now()
		}
		if !c.Running() {
			p.ended(c, i == p.Current && p.shell.Main.Page() == nil)
			c.Began, c.Saved.Order, ended = p.shell.Now(), p.Later(), true
			p.shell.Post(func() { p.runQueued(c) })
		}
	}
	if ended {
		p.Sort()
	}
	p.Side.List()
	c := p.Conversation()
	p.on.Title(c.Heading())
	p.Composer.run(c.Running())
	p.Questions.hint()
	p.on.Talk.Shown(c)
	c.latest.model = p.on.Model() // the model of this conversation, which Shown has passed to the header
	p.Transcript.View.Live = c.Running()
	p.Versions.follow(c, func() { p.Transcript.Show(c.shown()) })
}

// hint updates the text below the composer that describes the keys.
func (q *questions) hint() {
	p := q.page
	c := p.Conversation()
	switch o := c.asking(); {
	case p.Composer.Suggest.Root.Visible() && len(p.Composer.Suggest.found) > 0:
		p.Composer.hint.Set("Enter to insert · Esc to close")
	case p.Composer.Suggest.Root.Visible():
		p.Composer.hint.Set("Enter to send · Esc to close")
	case o != nil && o.Question != nil:
		p.Composer.hint.Set(o.Hint())
	default:
		p.Composer.hint.Set(hint(c.Running()))
	}
}
