package ui

import "fyne.io/fyne/v2"

func (d *desk) idle() bool { return !d.chats.Conversation().Running() }

func press(f fyne.Focusable, key fyne.KeyName) { f.TypedKey(&fyne.KeyEvent{Name: key}) }
