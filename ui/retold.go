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

// A thread is a conversation as it is kept, made ready to be shown and gone on
// with.
type thread struct {
	chat    view.Chat
	turns   []store.Turn // of the branch that is shown
	starts  []int        // where the items of each turn begin
	end     int          // and where those of the last end
	history []*genai.Content
}

// retold folds what is kept as the live turns were folded. A turn that has no
// end, and is not under way, was cut off. What a message of the user begins is
// folded by itself: each step of a fold copies all items, and of 10,000 messages
// that would take a second.
func retold(t store.Thread) thread {
	out := thread{turns: t.Turns, history: t.History()}
	var before []view.Item
	var c view.Chat
	for _, turn := range t.Turns {
		c = c.Retract()
		if len(turn.User) > 0 { // a retry says nothing itself, and goes on with what there is
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

// heard parts what the user said into its text and the files that went with it,
// which come first; see send.
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

// turnOf finds the turn that an item belongs to; -1 if none does that is kept and
// has ended.
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

// take makes t what the conversation is.
func (c *conversation) take(session *agent.Session, t thread) {
	session.Restore(t.history)
	c.taken++
	c.session, c.thread, c.chat, c.loaded = session, t, t.chat, true
	c.active = ""
	if n := len(t.turns); n > 0 {
		c.active = t.turns[n-1].ID
	}
}

// asked is the turn with the message that an item is of, or answers; -1 if there
// is none. A retry says nothing itself.
func (t *thread) asked(item int) int {
	at := t.turnOf(item)
	for at > 0 && len(t.turns[at].User) == 0 {
		at--
	}
	return at
}
