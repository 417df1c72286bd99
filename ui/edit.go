package ui

import (
	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/view"
)

// edit puts a message back into the composer. The next message replaces it, on a
// branch of its own.
func (v *versionNav) edit(item int) {
	c := v.page.conversation()
	at := c.thread.turnOf(item)
	if c.busy() || at < 0 {
		return
	}
	text, _ := heard(c.thread.turns[at].User)
	c.branch = at + 1
	v.page.files.carryAgain(c, c.thread.turns[at].User)
	v.page.composer.fill(text)
	v.page.shell.Toasts.Say("pencil", "What you send now takes the place of that message. The old version is kept.")
	kit.Focus(v.page.composer.input)
}

// carryAgain puts the files of an earlier message into the composer.
func (f *attachments) carryAgain(c *conversation, parts []*genai.Part) {
	c.files = nil
	for _, p := range parts {
		_, files := heard([]*genai.Part{p})
		if len(files) == 0 {
			continue
		}
		at := len(c.files)
		c.files = append(c.files, attached{files[0], p})
		f.page.transcript.Illustrate(files[0], func(a view.Attachment) {
			if at < len(c.files) && c.files[at].part == p {
				c.files[at].Preview = a.Preview
				if c == f.page.conversation() {
					f.showFiles()
				}
			}
		})
	}
	f.showFiles()
}

// regenerate asks for another answer to the same message.
func (v *versionNav) regenerate(item int) {
	c := v.page.conversation()
	at := c.thread.asked(item)
	if c.busy() || at < 0 {
		return
	}
	v.instead(c, at, c.thread.turns[at].User)
}

// instead sends parts in place of turn at.
func (v *versionNav) instead(c *conversation, at int, parts []*genai.Part) {
	before := store.Thread{Turns: c.thread.turns[:at]}
	c.take(v.page.on.NewSession(), retold(before))
	text, files := heard(parts)
	c.chat = c.chat.Say(text, files...)
	v.page.transcript.Reset()
	v.page.transcript.Stick = true
	v.page.turn(c, parts...)
}
