package ui

import (
	"cmp"
	"slices"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
)

// A thread is a saved conversation, ready to be shown and continued.
type thread struct {
	chat    view.Chat
	turns   []store.Turn // of the branch that is shown
	starts  []int        // where the items of each turn begin
	end     int          // and where those of the last end
	history []*genai.Content
}

// retold folds saved turns as the live turns were folded. Each message starts a
// fold of its own: a step of a fold copies all its items, which would take a second
// for 10,000 messages.
func retold(t store.Thread) thread {
	out := thread{turns: t.Turns, history: t.History()}
	var before []view.Item
	var c view.Chat
	for _, turn := range t.Turns {
		c = c.Retract()
		if len(turn.User) > 0 { // a retry has no message and continues the fold
			before = append(before, c.Items...)
			c.Items = nil
		}
		out.starts = append(out.starts, len(before)+len(c.Items))
		if len(turn.User) > 0 {
			text, files := heard(turn.User)
			c = c.Say(text, files...)
		}
		for _, e := range turn.Events {
			c = c.Apply(e)
		}
		if err := chat.Failure(turn); err != nil {
			c = c.Fail(err)
		}
	}
	out.chat = view.Chat{Items: append(before, c.Items...), Spent: c.Spent}
	out.end = len(out.chat.Items)
	return out
}

// heard splits a message into its text and its files, which come first; see send.
func heard(parts []*genai.Part) (text string, files []view.Attachment) {
	for _, p := range parts {
		switch name, size, ok := view.AttachedName(p.Text); {
		case p.InlineData != nil:
			d := p.InlineData
			files = append(files, view.Attachment{Name: cmp.Or(d.DisplayName, "File"), Type: d.MIMEType, Size: len(d.Data), Data: d.Data})
		case ok:
			files = append(files, view.Attachment{Name: name, Type: "text/plain", Size: size})
		default:
			text = p.Text
		}
	}
	return text, files
}

// turnOf is the index of the saved turn that an item belongs to; -1 if there is none.
func (t *thread) turnOf(item int) int {
	if item >= t.end {
		return -1
	}
	at, found := slices.BinarySearch(t.starts, item)
	if found {
		return at
	}
	return at - 1
}

// take replaces the chat by t.
func (c *conversation) take(session *agent.Session, t thread) {
	session.Restore(t.history)
	c.read.taken++
	c.session, c.thread, c.chat, c.read.loaded = session, t, t.chat, true
	c.saved.active = ""
	if n := len(t.turns); n > 0 {
		c.saved.active = t.turns[n-1].ID
	}
}

// asked is the index of the turn whose message an item is or answers; -1 if there
// is none. A retry has no message.
func (t *thread) asked(item int) int {
	at := t.turnOf(item)
	for at > 0 && len(t.turns[at].User) == 0 {
		at--
	}
	return at
}
