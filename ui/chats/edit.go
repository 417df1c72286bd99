package chats

import (
	"slices"

	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui/transcript"
)

// edit turns a message into a field. Saving it asks again from there, on a branch of
// its own: the old version is kept. The draft in the composer stays.
func (v *versions) edit(item int) {
	c := v.page.Conversation()
	at := c.Thread.turnOf(item)
	if c.Read.Loading || at < 0 {
		return
	}
	turn := c.Thread.Turns[at]
	text, _ := SplitMessage(turn.User)
	note := "Saving asks again from here."
	if c.Running() {
		note = "Saving stops the answer and asks again from here."
	}
	v.page.Transcript.Edit(item, transcript.Editing{
		Text: text, Note: note, Leave: v.page.write,
		Save: func(text string) { v.replace(c, turn.ID, text) },
	})
	// The key that began the edit is still to be typed: the field must not get it.
	v.page.shell.Post(v.page.Transcript.FocusEdit)
}

// replace sends text in place of the message of a turn, with the same files. It stops a
// turn under way first.
func (v *versions) replace(c *Conversation, turn, text string) {
	if c.Running() {
		c.waits.then = func() { v.replace(c, turn, text) }
		c.Cancel()
		return
	}
	at := slices.IndexFunc(c.Thread.Turns, func(t store.Turn) bool { return t.ID == turn })
	if at < 0 || c.busy() {
		v.page.putBack(c, text)
		return
	}
	var parts []*genai.Part
	for _, p := range c.Thread.Turns[at].User {
		if _, files := SplitMessage([]*genai.Part{p}); len(files) > 0 {
			parts = append(parts, p)
		}
	}
	v.instead(c, at, append(parts, genai.NewPartFromText(text)))
}

// regenerate asks for another answer to the same message.
func (v *versions) regenerate(item int) {
	c := v.page.Conversation()
	at := c.Thread.asked(item)
	if c.busy() || at < 0 {
		return
	}
	v.instead(c, at, c.Thread.Turns[at].User)
}

// instead sends parts in place of turn at.
func (v *versions) instead(c *Conversation, at int, parts []*genai.Part) {
	before := store.Thread{Turns: c.Thread.Turns[:at]}
	c.take(v.page.on.NewSession(), replay(before))
	text, files := SplitMessage(parts)
	c.Chat = c.Chat.Say(text, files...)
	if c == v.page.Conversation() {
		v.page.Transcript.Reset()
		v.page.Transcript.View.Stick = true
	}
	v.page.turn(c, parts...)
}
