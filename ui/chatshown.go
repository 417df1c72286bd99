package ui

import "goated/ui/kit"

// newChat shows an empty conversation. An empty shown one stays.
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
	if i != p.current && p.current < len(p.chats) && len(p.transcript.Items) > 0 {
		p.scrolled()
	}
	p.current = i
	c := p.conversation()
	c.unread = false
	c.branch = 0
	p.loader.load(c)
	p.transcript.Reset()
	p.composer.fill(c.draft)
	p.files.showFiles()
	p.refresh()
	if !p.search.arrive(c) {
		p.transcript.SetScrollPos(c.saved.place)
	}
	kit.Focus(p.composer.input)
}

// refresh draws everything that a turn can change. It is idempotent.
func (p *chatPage) refresh() {
	ended := false
	for i, c := range p.chats {
		if !c.running() {
			continue
		}
		if c.collect(); !c.running() {
			p.ended(c, i == p.current)
			c.began, c.saved.order, ended = p.shell.Now(), p.later(), true
		}
	}
	if ended {
		p.sort()
	}
	p.side.list()
	c := p.conversation()
	p.on.Title(c.heading())
	p.composer.run(c.running())
	p.transcript.Live = c.running()
	p.transcript.Show(c.chat)
}
