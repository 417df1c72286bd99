package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui"
	"goated/ui/view"
)

// Home, End, Ctrl+Home and Ctrl+End go to the ends of the conversation while the composer is
// empty. They used to do nothing. If the composer has text, they move the cursor.
func TestKeysGoToTheEndsOfAConversation(t *testing.T) {
	d := newDesk(t, ui.Options{})
	chat := view.Chat{}.Say("the first message")
	for range 60 {
		chat = chat.Apply(agent.TextDelta{Text: "Some words.\n\n"})
	}
	d.window.ShowChat(chat.Apply(agent.TextDelta{Text: "the last words"}), false)
	shows := func(text string) bool { _, _, seen := d.Place(text); return seen }
	d.FocusField(composer)
	ways := map[string]func(fyne.KeyName){
		"Ctrl": func(k fyne.KeyName) { d.Shortcut(k, fyne.KeyModifierControl) },
		"no":   func(k fyne.KeyName) { d.Key(k) },
	}
	for modifier, press := range ways {
		press(fyne.KeyHome)
		if !shows("the first message") || shows("the last words") {
			t.Errorf("Home with %s modifier does not show the beginning", modifier)
		}
		press(fyne.KeyEnd)
		if !shows("the last words") {
			t.Errorf("End with %s modifier does not show the end", modifier)
		}
	}
	d.Type("draft")
	for modifier, press := range ways {
		if press(fyne.KeyHome); !shows("the last words") {
			t.Errorf("Home with %s modifier leaves the text of the composer", modifier)
		}
	}
}
