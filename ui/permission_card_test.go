package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/sandbox"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/view"
)

// permits asks for a permission of the server "weather" and returns a channel for the answer.
func (d *desk) permits(p sandbox.Permission) <-chan bool {
	d.T.Helper()
	got := make(chan bool, 1)
	go func() { got <- d.window.Permit(background(d.T), "weather", "weather.py", p) }()
	return got
}

var reachWeather = sandbox.Permission{Kind: sandbox.ToHost, Host: "api.open-meteo.com"}

// forecast returns a conversation with a call of the server "weather".
func forecast() view.Chat {
	return view.Chat{}.Say("Will it rain?").Apply(agent.ToolCalled{ID: "call-1", Server: "weather", Tool: "forecast", Args: map[string]any{"city": "Lisbon"}}).
		Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce})
}

// The question for a permission that a call lacks is a card in the conversation of the call.
// The composer keeps the focus. Esc and Ctrl+Enter answer, but only after a moment, because the
// user could not have read the question before.
func TestAPermissionIsAskedInTheConversation(t *testing.T) {
	for _, allow := range []bool{true, false} {
		for _, ended := range []bool{false, true} {
			d := shown(t, ui.Options{})
			chat := forecast()
			if ended {
				chat = chat.Apply(agent.ToolReturned{ID: "call-1", Error: "no network"}).Apply(agent.TurnEnded{Reason: agent.Done})
			}
			d.window.ShowChat(chat, !ended)
			got := d.permits(reachWeather)
			d.sees(wantsWeather)
			if !d.Reads("--allow-host api.open-meteo.com") || d.Layers() > 0 {
				t.Errorf("the card does not say what the server wants: %q", d.transcript())
			}
			if !d.FieldFocused(composer) {
				t.Error("the question took the focus")
			}
			d.Ctrl(fyne.KeyReturn)
			if !d.Reads(wantsWeather) {
				t.Fatal("the question took an answer at once")
			}
			d.later()
			if allow {
				d.Ctrl(fyne.KeyReturn)
			} else {
				d.Key(fyne.KeyEscape)
			}
			if waittest.Receive(t, "the answer", got) != allow || d.Reads(wantsWeather) {
				t.Errorf("the answer is not %v", allow)
			}
		}
	}
}

// Ctrl+Enter allows calls, but not a dangerous permission. For that, the user has to press the
// button.
func TestADangerousPermissionTakesAPress(t *testing.T) {
	d := shown(t, ui.Options{})
	d.window.ShowChat(forecast(), true)
	got := d.permits(sandbox.Permission{Kind: sandbox.ToRead, Path: "/"})
	d.sees("Allow anyway")
	d.later()
	d.Ctrl(fyne.KeyReturn)
	if !d.Reads("Allow anyway") {
		t.Fatal("a key allowed a dangerous permission")
	}
	d.Press("Allow anyway")
	if !waittest.Receive(t, "the answer", got) {
		t.Error("the press did not allow it")
	}
}

// A server that no conversation calls asks on a sheet.
func TestAPermissionOfAStartIsASheet(t *testing.T) {
	d := shown(t, ui.Options{})
	got := d.permits(reachWeather)
	d.until("the sheet is open", func() bool { return d.Layers() == 1 && d.Reads(wantsWeather) })
	d.answers("Not now")
	if waittest.Receive(t, "the answer", got) {
		t.Error("the answer is yes")
	}
}

func TestPicturePermissionInTheConversation(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := pictured(t, dark, ui.Options{})
		d.window.Show()
		t.Cleanup(d.window.Close)
		d.window.ShowChat(forecast(), true)
		d.permits(reachWeather)
		d.sees(wantsWeather)
		d.looksLike("permission_card", dark)
	}
}
