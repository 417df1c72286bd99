package chats

import (
	"google.golang.org/genai"

	"goated/ui/view"
)

// An unsavedMessage is a message that the user sent after the conversation was read, with the
// state before it. It may never reach the history.
type unsavedMessage struct {
	parts   []*genai.Part
	chat    view.Chat
	history []*genai.Content
	parent  string // the turn that the message's turn follows
}

// say shows a message that is about to be sent, and records how to send it again.
func (c *Conversation) say(parts []*genai.Part, text string, files []view.Attachment) {
	before := c.Chat.Retract()
	c.Thread.unsaved = append(c.Thread.unsaved, unsavedMessage{parts, before, c.Session.History(), c.Saved.Active})
	c.Chat = before.Say(text, files...)
}

// unsavedAt returns the index of the unsaved message that an item is or answers, or -1 if there
// is none.
func (t *Thread) unsavedAt(item int) int {
	at := len(t.unsaved) - 1
	for at >= 0 && t.unsaved[at].chat.Len() > item {
		at--
	}
	return at
}
