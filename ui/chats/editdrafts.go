package chats

import "strings"

// An editDrafts holds what the user wrote into edits and did not save, until the window
// ends.
type editDrafts map[editedMessage]string

// An editedMessage is the message of an edit.
type editedMessage struct {
	turn   string // empty: the message waits to be sent
	queued int    // the id of the message that waits
}

// keep keeps the text of an edit, unless it says no more than the message.
func (d *editDrafts) keep(u unfinished, text string) {
	if strings.TrimSpace(text) == "" || text == u.was {
		d.drop(u)
		return
	}
	if *d == nil {
		*d = make(editDrafts)
	}
	(*d)[u.editedMessage] = text
}

// drop forgets the text of an edit.
func (d *editDrafts) drop(u unfinished) { delete(*d, u.editedMessage) }
