package chats

import (
	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view"
)

// edit puts a message back into the composer. The next message replaces it, on a
// branch of its own.
func (v *versions) edit(item int) {
	c := v.page.Conversation()
	at := c.Thread.turnOf(item)
	if c.busy() || at < 0 {
		return
	}
	text, _ := SplitMessage(c.Thread.Turns[at].User)
	c.branch = at + 1
	v.page.Files.carryAgain(c, c.Thread.Turns[at].User)
	v.page.Composer.Fill(text)
	v.page.shell.Toasts.Say("pencil", "Your next message replaces that one. The old version is kept.")
	kit.Focus(v.page.Composer.Input)
}

// carryAgain puts the files of an earlier message into the composer.
func (f *attachments) carryAgain(c *Conversation, parts []*genai.Part) {
	c.Files = nil
	for _, p := range parts {
		_, files := SplitMessage([]*genai.Part{p})
		if len(files) == 0 {
			continue
		}
		at := len(c.Files)
		c.Files = append(c.Files, Attached{files[0], p})
		f.page.Transcript.Illustrate(files[0], func(a view.Attachment) {
			if at < len(c.Files) && c.Files[at].part == p {
				c.Files[at].Preview = a.Preview
				if c == f.page.Conversation() {
					f.ShowFiles()
				}
			}
		})
	}
	f.ShowFiles()
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
	v.page.Transcript.Reset()
	v.page.Transcript.View.Stick = true
	v.page.turn(c, parts...)
}
