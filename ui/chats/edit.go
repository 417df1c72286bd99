package chats

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/internal/store"
	"goated/ui/kit"
	"goated/ui/transcript"
	"goated/ui/view"
)

// An unfinished is an edit of a message in place.
type unfinished struct {
	editedMessage
	item int    // the item that shows the message
	was  string // the text of the message
	text string // the current text of the edit; empty: unchanged since the edit was opened
}

// edit replaces a message by a field. When the user saves it, the model answers again from there,
// on a new branch, which keeps the old version. The draft in the composer is not affected.
func (v *versionPager) edit(item int) {
	c := v.page.Conversation()
	if c.Read.Loading {
		return
	}
	if at := c.Thread.turnOf(item); at >= 0 {
		turn := c.Thread.Turns[at]
		text, _ := splitMessage(turn.User)
		v.open(c, unfinished{editedMessage: editedMessage{turn: turn.ID}, item: item, was: text})
	} else if c.asksNow() == item {
		v.open(c, unfinished{editedMessage: editedMessage{turn: c.Saved.Active}, item: item, was: c.Chat.At(item).(view.User).Text})
	} else if !c.Running() {
		v.page.shell.Toasts.Say("alert", "This message is not saved, so you cannot edit it here. Copy it, and send it again.")
	}
}

// asksNow returns the item of the message that the running turn answers, or -1 if that turn is
// not saved.
func (c *Conversation) asksNow() int {
	if !c.Running() || c.readLast() || c.Saved.Active == "" {
		return -1
	}
	for i := c.Thread.End; i < c.Chat.Len(); i++ {
		if _, own := c.Chat.At(i).(view.User); own {
			return i
		}
	}
	return -1
}

// open shows the field of an edit.
func (v *versionPager) open(c *Conversation, u unfinished) {
	u.text = cmp.Or(u.text, c.edits[u.editedMessage], u.was)
	e := transcript.Editing{Text: u.text, Original: u.was, Leave: func(text string) {
		c.edits.keep(u, text)
		v.page.keepDraft(c)
		v.page.write()
	}, Typed: func() { v.page.keepDraft(c) }}
	switch {
	case u.turn == "":
		e.Note, e.Save = "It is sent when the answer ends.", func(text string) { v.requeue(c, u.queued, text) }
	case c.Running():
		e.Note, e.Save = "Saving stops the answer and asks again from here.", func(text string) { v.replace(c, u.turn, text) }
	default:
		e.Note, e.Save = "Saving asks again from here.", func(text string) { v.replace(c, u.turn, text) }
	}
	save := e.Save
	e.Save = func(text string) { c.edits.drop(u); save(text) }
	v.page.Transcript.Edit(u.item, e)
	v.of, v.now = c, &u
	// The character of the key that began the edit is still to come: the field must not receive
	// it.
	v.page.shell.Post(v.page.Transcript.FocusEdit)
}

// leave keeps the current edit until its conversation is shown again.
func (v *versionPager) leave() {
	if field := v.page.Transcript.Edited(); field != nil && v.now != nil {
		v.now.text = field.Text
		v.of.edit = v.now
	}
	v.now = nil
}

// writes returns the edit of a conversation with its current text. The edit may be open, or left
// because another conversation is shown. writes returns nil if there is no edit.
func (v *versionPager) writes(c *Conversation) *unfinished {
	field := v.page.Transcript.Edited()
	if field == nil || v.now == nil || v.of != c {
		return c.edit
	}
	u := *v.now
	u.text = field.Text
	return &u
}

// resume shows the edit that was left in a conversation. If the message is gone, the text of the
// edit goes into the composer.
func (v *versionPager) resume(c *Conversation) {
	u := c.edit
	if u == nil {
		return
	}
	c.edit = nil
	if u.item = c.itemOf(u); u.item < 0 {
		v.page.putBack(c, u.text)
		return
	}
	v.open(c, *u)
}

// itemOf returns the item that shows the message of an edit, or -1 if no item shows it.
func (c *Conversation) itemOf(u *unfinished) int {
	if u.turn == "" {
		shown := c.shown()
		for i := range shown.Len() {
			if q, ok := shown.At(i).(view.Queued); ok && q.ID == u.queued {
				return i
			}
		}
		return -1
	}
	if at := slices.IndexFunc(c.Thread.Turns, func(t store.Turn) bool { return t.ID == u.turn }); at >= 0 {
		return c.Thread.Starts[at]
	}
	if u.turn == c.Saved.Active {
		return c.asksNow()
	}
	return -1
}

// follow runs show, which draws the transcript. If this moves a message that the user edits, the
// edit moves with it.
func (v *versionPager) follow(c *Conversation, show func()) {
	field := v.page.Transcript.Edited()
	if field == nil || v.now == nil || v.of != c || c.itemOf(v.now) == v.now.item {
		show()
		return
	}
	row, column := field.CursorRow, field.CursorColumn
	canvas := kit.CanvasOf(field)
	typing := canvas != nil && canvas.Focused() == fyne.Focusable(field)
	v.leave()
	v.page.Transcript.CancelEdit()
	show()
	v.resume(c)
	if again := v.page.Transcript.Edited(); again != nil {
		again.CursorRow, again.CursorColumn = row, column
		again.Refresh()
		if typing {
			v.page.Transcript.FocusEdit()
		}
	}
}

// requeue changes the text of a queued message.
func (v *versionPager) requeue(c *Conversation, id int, text string) {
	at := c.queuedAt(id)
	if at < 0 { // it was sent in the meantime
		v.page.putBack(c, text)
		return
	}
	c.waits.queue[at].text = text
	v.page.keepDraft(c)
	v.page.Refresh()
}

// replace sends text instead of the message of a turn, with the same files. It stops a running
// turn first.
func (v *versionPager) replace(c *Conversation, turn, text string) {
	if c.Running() {
		c.waits.then = func() { v.replace(c, turn, text) }
		c.Cancel()
		return
	}
	at := slices.IndexFunc(c.Thread.Turns, func(t store.Turn) bool { return t.ID == turn })
	if at < 0 && turn == c.Saved.Active { // it was just stopped and is not read yet
		putBack := func() { v.page.putBack(c, text) }
		v.page.History.Loader.reread(c, func() error { return nil }, func() {
			if slices.ContainsFunc(c.Thread.Turns, func(t store.Turn) bool { return t.ID == turn }) {
				v.replace(c, turn, text)
				return
			}
			putBack()
		}, putBack)
		return
	}
	if at < 0 || c.busy() {
		v.page.putBack(c, text)
		return
	}
	var parts []*genai.Part
	for _, p := range c.Thread.Turns[at].User {
		if _, files := splitMessage([]*genai.Part{p}); len(files) > 0 {
			parts = append(parts, p)
		}
	}
	v.sendInPlaceOf(c, at, append(parts, genai.NewPartFromText(text)))
}

// regenerate asks for another answer to a message of the shown conversation.
func (v *versionPager) regenerate(item int) { v.answerAgain(v.page.Conversation(), item) }

// answerAgain asks for another answer to the message that an item belongs to. The history may not
// have that message yet, because a turn is read only after its end, or not at all if the disk is
// full.
func (v *versionPager) answerAgain(c *Conversation, item int) {
	if c.busy() {
		return
	}
	if at := c.Thread.unsavedAt(item); at >= 0 {
		v.sendUnsaved(c, at)
	} else if at := c.Thread.asked(min(item, c.Thread.End-1)); at >= 0 {
		v.sendInPlaceOf(c, at, c.Thread.Turns[at].User)
	}
}

// sendInPlaceOf sends parts instead of the message of the turn with index at.
func (v *versionPager) sendInPlaceOf(c *Conversation, at int, parts []*genai.Part) {
	v.page.History.Loader.take(c, restore(store.Thread{Turns: c.Thread.Turns[:at]}))
	text, files := splitMessage(parts)
	v.sendFromHere(c, parts, text, files)
}

// sendUnsaved sends a message again that is missing in the history.
func (v *versionPager) sendUnsaved(c *Conversation, at int) {
	m, before := c.Thread.unsaved[at], c.Thread
	before.chat, before.history, before.unsaved = m.chat, m.history, c.Thread.unsaved[:at:at]
	v.page.History.Loader.take(c, before)
	c.Saved.Active = m.parent
	text, files := splitMessage(m.parts)
	v.sendFromHere(c, m.parts, text, files)
}

// sendFromHere sends parts after the end of the conversation was cut off. An open edit goes on.
func (v *versionPager) sendFromHere(c *Conversation, parts []*genai.Part, text string, files []view.Attachment) {
	c.say(parts, text, files)
	shown := c == v.page.Conversation()
	if shown {
		v.leave()
		v.page.Transcript.Reset()
		v.page.Transcript.View.Stick = true
	}
	v.page.turn(c, false, parts...)
	if shown {
		v.resume(c)
	}
}
