package chats

import (
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/ui/view"
)

// A waiting is what a conversation does at the end of its turn.
type waiting struct {
	then  func()   // runs before the messages are sent; nil: nothing
	queue []queued // messages to send, in order
	last  int      // the id of the last message
}

// A queued is a message that the user sent while a turn was running.
type queued struct {
	id    int
	text  string
	files []Attached
}

// enqueue queues a message until the turn ends.
func (p *Page) enqueue(c *Conversation, text string) {
	c.waits.last++
	c.waits.queue = append(c.waits.queue, queued{c.waits.last, text, c.Files})
	c.Files = nil
	p.Files.ShowFiles()
	p.keepDraft(c)
	if c == p.Conversation() {
		p.Transcript.View.Stick = true
	}
	p.Refresh()
}

// withQueue returns chat with the queued messages.
func (c *Conversation) withQueue(chat view.Chat) view.Chat {
	if len(c.waits.queue) == 0 {
		return chat
	}
	list := chat.Items()
	for _, q := range c.waits.queue {
		text := q.text
		for _, a := range q.files {
			text = strings.TrimSpace(text + "\n" + a.Name)
		}
		list = append(list, view.Queued{ID: q.id, Text: text})
	}
	return view.NewChat(list, chat.Spent)
}

// runQueued sends what a conversation has queued for the end of its turn. After a failure, it
// puts the messages back into the composer, because they would fail too.
func (p *Page) runQueued(c *Conversation) {
	if c.busy() {
		return
	}
	if then := c.waits.then; then != nil {
		c.waits.then = nil
		then()
		return
	}
	if len(c.waits.queue) == 0 {
		return
	}
	if c.failure() != nil {
		p.unqueue(c)
		return
	}
	q := c.waits.queue[0]
	c.waits.queue = c.waits.queue[1:]
	p.keepDraft(c)
	p.send(c, q.text, q.files)
}

// unqueue puts all queued messages back into the composer.
func (p *Page) unqueue(c *Conversation) {
	queue := c.waits.queue
	c.waits.queue = nil
	var texts []string
	for _, q := range queue {
		texts = append(texts, q.text)
		c.Files = append(slices.Clip(c.Files), q.files...)
	}
	p.putBack(c, strings.Join(texts, "\n\n"))
	if c == p.Conversation() {
		p.Files.ShowFiles()
	}
	p.Refresh()
}

// putBack inserts text before the draft of a conversation.
func (p *Page) putBack(c *Conversation, text string) {
	c.draft = strings.TrimSpace(text + "\n\n" + c.draft)
	if c == p.Conversation() {
		p.Composer.Fill(c.draft)
	}
	p.keepDraft(c)
}

// keepDraft saves the draft with its files, the queued messages and the text of an open edit, so
// that they survive when the window closes. The files are unknown until the conversation was
// read.
func (p *Page) keepDraft(c *Conversation) {
	var texts []string
	var files []*genai.Part
	edit := p.Versions.writes(c)
	for _, q := range c.waits.queue {
		if edit != nil && edit.queued == q.id {
			q.text = edit.text
		}
		texts = append(texts, q.text)
		files = appendParts(files, q.files)
	}
	if edit != nil && edit.turn != "" && edit.text != edit.was {
		texts = append(texts, strings.TrimSpace(edit.text))
	}
	var changed *[]*genai.Part
	if files = appendParts(files, c.Files); (c.Saved.ID == "" || c.Read.Loaded) && !slices.Equal(files, c.kept) {
		c.kept, changed = files, &files
	}
	p.History.Drafts.Draft(c, strings.TrimSpace(strings.Join(append(texts, c.draft), "\n\n")), changed)
}

// editQueued replaces a queued message by a field.
func (p *Page) editQueued(id, item int) {
	c := p.Conversation()
	if at := c.queuedAt(id); at >= 0 {
		p.Versions.open(c, unfinished{editedMessage: editedMessage{queued: id}, item: item, was: c.waits.queue[at].text})
	}
}

func (c *Conversation) queuedAt(id int) int {
	return slices.IndexFunc(c.waits.queue, func(q queued) bool { return q.id == id })
}

// dropQueued removes a queued message.
func (p *Page) dropQueued(id int) {
	c := p.Conversation()
	c.waits.queue = slices.DeleteFunc(c.waits.queue, func(q queued) bool { return q.id == id })
	p.keepDraft(c)
	p.Refresh()
}
