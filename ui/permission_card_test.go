package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/sandbox"
	"goated/ui/servers"
	"goated/ui/view"
)

// permits asks for a permission of the server "weather", and returns the channel of the
// answer.
func (d *desk) permits(t *testing.T, p sandbox.Permission) <-chan bool {
	t.Helper()
	got := make(chan bool, 1)
	go func() {
		got <- servers.AskPermission(t.Context(), d.options.Dialogs.Put, servers.PermissionRequest{ID: "weather", Name: "weather", Command: "weather.py", What: p}, d.servers.Warning(p)).Allow
	}()
	return got
}

var reachWeather = sandbox.Permission{Kind: sandbox.ToHost, Host: "api.open-meteo.com"}

// forecast is a conversation with a call of the server "weather".
func forecast() view.Chat {
	return view.Chat{}.Say("Will it rain?").Apply(agent.ToolCalled{ID: "call-1", Server: "weather", Tool: "forecast", Args: map[string]any{"city": "Lisbon"}}).
		Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce})
}

// What the sandbox refuses during a call is asked in the conversation of that call. The
// composer keeps the focus, and Esc and Ctrl+Enter answer.
func TestAPermissionIsAskedInTheConversation(t *testing.T) {
	for _, allow := range []bool{true, false} {
		for _, ended := range []bool{false, true} {
			d := newDesk(t, Options{})
			d.show()
			c := d.chats.Conversation()
			c.Chat = forecast()
			if ended {
				c.Chat = c.Chat.Apply(agent.ToolReturned{ID: "call-1", Error: "no network"}).Apply(agent.TurnEnded{Reason: agent.Done})
			} else {
				c.Cancel = func() {}
			}
			got := d.permits(t, reachWeather)
			d.until("the question is open", d.chats.Questions.Open)
			if !d.reads("weather wants to reach api.open-meteo.com") || !d.reads("--allow-host api.open-meteo.com") || len(d.shell.Sheets.All) > 0 {
				t.Error("the card does not say what the server wants")
			}
			if d.frame.win.Canvas().Focused() != fyne.Focusable(d.chats.Composer.Input) {
				t.Error("the question took the focus")
			}
			d.hurry() // nobody could have read it
			if !d.chats.Questions.Open() {
				t.Fatal("the question took an answer at once")
			}
			d.clock = d.clock.Add(time.Second)
			if allow {
				d.hurry()
			} else {
				d.escape()
			}
			if <-got != allow || d.chats.Questions.Open() {
				t.Errorf("the answer is not %v", allow)
			}
		}
	}
}

// A dangerous permission takes a press of its button: Ctrl+Enter, which allows calls, does
// not allow it.
func TestADangerousPermissionTakesAPress(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	c := d.chats.Conversation()
	c.Chat, c.Cancel = forecast(), func() {}
	got := d.permits(t, sandbox.Permission{Kind: sandbox.ToRead, Path: "/"})
	d.until("the question is open", d.chats.Questions.Open)
	d.clock = d.clock.Add(time.Second)
	d.hurry()
	if !d.chats.Questions.Open() || !d.reads("Allow anyway") {
		t.Fatal("a key allowed a dangerous permission")
	}
	d.button("Allow anyway").OnTapped()
	if !<-got {
		t.Error("the press did not allow it")
	}
}

// A server that no conversation calls asks on a sheet.
func TestAPermissionOfAStartIsASheet(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	got := d.permits(t, reachWeather)
	d.until("the sheet is open", func() bool { return len(d.shell.Sheets.All) == 1 })
	d.clock = d.clock.Add(time.Second)
	d.button("Not now").OnTapped()
	if <-got {
		t.Error("the answer is yes")
	}
}

func TestPicturePermissionInTheConversation(t *testing.T) {
	for _, dark := range []bool{false, true} {
		matchGolden(t, "permission_card", dark, func(d *desk) {
			d.show()
			c := d.chats.Conversation()
			c.Chat, c.Cancel = forecast(), func() {}
			d.permits(t, reachWeather)
			d.until("the question is open", d.chats.Questions.Open)
		})
	}
}
