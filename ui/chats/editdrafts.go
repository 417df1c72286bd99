package chats

import "strings"

// An editDrafts holds the texts of edits that the user did not save. They last until the window
// closes.
type editDrafts map[editedMessage]string

// An editedMessage identifies the message of an edit.
type editedMessage struct {
	turn   string // empty: the message is queued
	queued int    // the id of the queued message
}

// keep stores the text of an edit, unless it equals the text of the message.
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

// drop removes the text of an edit.
func (d *editDrafts) drop(u unfinished) { delete(*d, u.editedMessage) }
