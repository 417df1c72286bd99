package chats

import (
	"slices"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/shell"
)

// Entries returns the questions of all conversations, for the list of waiting questions. It calls
// aside to hide questions that do not belong to a conversation. They stay hidden as long as the
// function that aside receives returns true.
func (q *questions) Entries(aside func(busy func() bool)) (all []shell.Entry) {
	p := q.page
	covered := p.shell.Main.Page() != nil || p.shell.Sheets.Top() != nil
	for _, c := range p.Chats {
		for _, o := range c.asks {
			e := o.Listed()
			e.ID, e.Since, e.Count, e.Where = o, o.since, o.count, safetext.Cut(c.Heading(), 60)
			e.Front = c == p.Conversation() && c.asking() == o && !covered
			e.Choose = func() {
				aside(func() bool { return slices.Contains(c.asks, o) })
				q.choose(c, o)
			}
			all = append(all, e)
		}
	}
	return all
}

// Asks is the text beside a conversation with an open question that is not visible.
const Asks = "Asks you"

// away returns the questions of conversations that are not on the screen.
func (q *questions) away() (all []shell.Entry) {
	p := q.page
	for _, e := range q.Entries(func(func() bool) {}) {
		if o := e.ID.(*openQuestion); p.shell.Main.Page() != nil || !slices.Contains(p.Conversation().asks, o) {
			all = append(all, e)
		}
	}
	return all
}

// Away reports whether a question waits in a conversation that is not on the screen.
func (q *questions) Away() bool { return len(q.away()) > 0 }

// Show shows the only question that is not visible, or lists all waiting questions at button if
// there are several.
func (q *questions) Show(button *kit.Button) {
	switch all := q.away(); len(all) {
	case 0:
	case 1:
		all[0].Choose()
	default:
		q.page.shell.Waiting.Open(button, nil)
	}
}

// choose shows another question of a conversation instead of its current one.
func (q *questions) choose(c *Conversation, o *openQuestion) {
	p := q.page
	i := slices.Index(p.Chats, c)
	if i < 0 || !slices.Contains(c.asks, o) {
		return
	}
	c.front = o
	if c != p.Conversation() || p.shell.Main.Page() != nil {
		p.Choose(i)
	} else {
		o.Appear()
	}
	p.Transcript.View.Stick = true // the question is at the end
	p.Refresh()
	p.write()
	q.takeKeys(c, o)
	p.shell.Waiting.OnChange()
}

// asking returns the question that the conversation shows, or nil if none is open.
func (c *Conversation) asking() *openQuestion {
	switch {
	case len(c.asks) == 0:
		return nil
	case slices.Contains(c.asks, c.front):
		return c.front
	}
	return c.asks[0]
}
