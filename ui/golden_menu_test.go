package ui

import (
	"testing"

	"fyne.io/fyne/v2"
)

// Menus have the window's design: of a conversation, with what deletes apart.
func TestPictureMenu(t *testing.T) {
	shelf(t, "menu", func(d *desk) {
		d.chats.Conversation().Saved.ID = "1"
		d.chats.Menu.Open(d.chats.Current, fyne.NewPos(180, 160))
		d.frame.win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	})
}
