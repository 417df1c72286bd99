package chats

import (
	"cmp"
	"slices"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/attachedfile"
	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
)

// A Thread is a saved conversation, ready to be shown and continued.
type Thread struct {
	chat    view.Chat
	Turns   []store.Turn // the turns of the shown branch
	Starts  []int        // the first item of each turn
	End     int          // the end of the items of the last turn
	history []*genai.Content
	marks   []agent.Event
	unsaved []unsavedMessage // messages that followed since then, in order
	stamp   string           // identifies the state of the history
}

// restore folds saved turns in the same way as live turns. A last turn without an end was cut
// off.
func restore(t store.Thread) Thread { return fold(t, false) }

// restoreLive is restore for a conversation whose last turn may still run in another process.
func restoreLive(t store.Thread) Thread { return fold(t, true) }

func fold(t store.Thread, live bool) Thread {
	out := Thread{Turns: t.Turns, history: t.History(), marks: t.Marks(), stamp: t.Conversation.Stamp}
	var c view.Chat
	for i, turn := range t.Turns {
		c = c.Retract()
		out.Starts = append(out.Starts, c.Len())
		if len(turn.User) > 0 { // a retry has no message
			text, files := splitMessage(turn.User)
			c = c.Say(text, files...)
		}
		for _, e := range turn.Events {
			c = c.Apply(e)
		}
		underWay := live && turn.Ended.IsZero() && i == len(t.Turns)-1
		if err := chat.Failure(turn); err != nil && !underWay {
			c = c.Fail(err)
		}
	}
	out.chat = c
	out.End = out.chat.Len()
	return out
}

// splitMessage splits a message into its text and its files. The files come first; see send.
func splitMessage(parts []*genai.Part) (text string, files []view.Attachment) {
	for _, p := range parts {
		switch name, content, ok := attachedfile.Parse(p.Text); {
		case p.InlineData != nil:
			d := p.InlineData
			files = append(files, view.Attachment{Name: cmp.Or(d.DisplayName, "File"), Type: d.MIMEType, Size: len(d.Data), Data: d.Data})
		case ok:
			files = append(files, view.Attachment{Name: name, Type: "text/plain", Size: len(content), Content: content})
		default:
			text = p.Text
		}
	}
	return text, files
}

// turnOf returns the index of the saved turn that an item belongs to, or -1 if there is none.
func (t *Thread) turnOf(item int) int {
	if item >= t.End {
		return -1
	}
	at, found := slices.BinarySearch(t.Starts, item)
	if found {
		return at
	}
	return at - 1
}

// take replaces the chat of a conversation by t, with a session that uses the current settings.
func (l *loader) take(c *Conversation, t Thread) {
	session := l.page.on.NewSession()
	if c.Saved.model != nil {
		session.Model = c.Saved.model
	}
	session.Restore(t.history, t.marks...)
	session.InheritApprovals(c.Session)
	c.Read.taken++
	c.Read.lost = false
	c.Session, c.Thread, c.Chat, c.Read.Loaded = session, t, t.chat, true
	c.Saved.Active = ""
	if n := len(t.Turns); n > 0 {
		c.Saved.Active = t.Turns[n-1].ID
	}
}

// asked returns the index of the turn whose message an item is or answers, or -1 if there is
// none. A retry has no message.
func (t *Thread) asked(item int) int {
	at := t.turnOf(item)
	for at > 0 && len(t.Turns[at].User) == 0 {
		at--
	}
	return at
}
