package ui_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/internal/config"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// The desktop learns that a turn ended while the window was hidden, and that the user has
// looked at it since.
func TestUnreadIsCounted(t *testing.T) {
	var unread atomic.Int64
	release := make(chan struct{})
	d := shown(t, ui.Options{Desktop: ui.DesktopOptions{Unread: func(n int) { unread.Store(int64(n)) }}, Agent: ui.AgentOptions{NewSession: sessions(
		func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
			select {
			case <-release:
				samplechat.Echo(ctx, h, yield)
			case <-ctx.Done():
			}
		})}})
	d.send("hello")
	d.window.Toggle()
	d.until("the window is hidden", d.window.Hidden)
	close(release)
	d.until("one conversation is unread", func() bool { return unread.Load() == 1 })
	d.window.Toggle()
	d.until("none is unread", func() bool { return unread.Load() == 0 })
}

// A long turn that ends while the user is away causes a notification. Its conversation stays
// unread until the user opens it.
func TestUnreadAndNotified(t *testing.T) {
	release := make(chan struct{})
	notified := make(chan string, 1)
	var unread atomic.Int64
	d := shown(t, ui.Options{
		Desktop: ui.DesktopOptions{
			Notify: func(title, text string) { notified <- title + ": " + text },
			Unread: func(n int) { unread.Store(int64(n)) },
		},
		Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, _ func(string, error) bool) {
			select {
			case <-release:
			case <-ctx.Done():
			}
		})},
	})
	d.send("first")
	d.newChat()
	d.window.Toggle() // the user is away
	d.clock = d.clock.Add(11 * time.Second)
	d.until("the window is hidden", d.window.Hidden)
	close(release)
	d.until("the first turn ends", d.window.Settled)
	if got := waittest.Receive(t, "a notification", notified); !strings.HasPrefix(got, "first: ") {
		t.Errorf("the notification says %q", got)
	}
	d.until("the conversation is unread", func() bool { return unread.Load() == 1 })
	d.window.Toggle()
	d.Press("first")
	d.until("the conversation is read", func() bool { return unread.Load() == 0 })
}

// A user who turns notifications off in the settings gets none for a long answer either.
func TestNotificationsAreSwitchedOff(t *testing.T) {
	release := make(chan struct{})
	notified := make(chan string, 1)
	var unread atomic.Int64
	d := shown(t, ui.Options{
		Desktop: ui.DesktopOptions{Notify: func(title, _ string) { notified <- title }, Unread: func(n int) { unread.Store(int64(n)) }},
		Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, _ func(string, error) bool) {
			select {
			case <-release:
			case <-ctx.Done():
			}
		})},
	})
	d.run("Granted approvals")
	d.Press("Show a notification when goated asks you, and when a long answer ends")
	d.closeSheets()
	d.send("first")
	d.newChat()
	d.window.Toggle() // the user is away
	d.clock = d.clock.Add(11 * time.Second)
	d.until("the window is hidden", d.window.Hidden)
	close(release)
	d.until("the conversation is unread", func() bool { return unread.Load() == 1 })
	d.window.Close() // waits for the goroutines of the window
	select {
	case got := <-notified:
		t.Errorf("%q is notified", got)
	default:
	}
}

// Instructions for the model are in the settings, because users look for them there.
func TestSettingsLeadToTheInstructions(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.run("Settings")
	d.Press("Custom instructions…")
	d.Enter("Such as: Answer in short sentences. I work in UTC+1.", "Be brief.")
	d.Press("Save")
	d.sees("Instructions") // the settings are visible again
	d.closeSheets()
	d.run("Custom instructions…")
	if got := d.Field("Such as: Answer in short sentences. I work in UTC+1."); got != "Be brief." {
		t.Errorf("the instructions are %q", got)
	}
}

// The working folder is in the settings, and the user can remove it.
func TestFolderToWorkIn(t *testing.T) {
	d := shown(t, ui.Options{Settings: config.Settings{Choices: config.Choices{Folder: "/srv/trip"}}})
	d.run("Data folder and log")
	if !d.Reads("Folder to work in") || !d.Reads("/srv/trip") {
		t.Errorf("the settings show %q", d.Texts())
	}
	d.Press("Reset")
	if !d.Reads("Where goated is started") || d.Reads("/srv/trip") {
		t.Errorf("after Reset the settings show %q", d.Texts())
	}
	d.window.Close()
	if got := d.saved.get().Folder; got != "" {
		t.Errorf("%q is saved", got)
	}
}

// A notification contains the title that the user gave to the conversation.
func TestANotificationHasTheTitleOfTheConversation(t *testing.T) {
	s, _ := archive(t)
	release := make(chan struct{})
	notified := make(chan string, 1)
	d := shown(t, ui.Options{
		History: s,
		Desktop: ui.DesktopOptions{Notify: func(title, _ string) { notified <- title }},
		Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
			select {
			case <-release:
				yield("Done.", nil)
			case <-ctx.Done():
			}
		})},
	})
	d.send("how much do I owe?")
	d.until("the conversation is saved", func() bool { return slices.Contains(d.sidebar(), "how much do I owe?") && d.busy() })
	d.until("it can be renamed", func() bool {
		d.run("Rename the conversation…")
		return d.HasField("A title")
	})
	d.Enter("A title", "Taxes")
	d.Key(fyne.KeyReturn)
	d.until("it is renamed", func() bool { return d.title() == "Taxes" })
	d.newChat()
	d.window.Toggle()
	d.clock = d.clock.Add(11 * time.Second)
	close(release)
	d.until("the turn ends", d.window.Settled)
	if got := waittest.Receive(t, "a notification", notified); got != "Taxes" {
		t.Errorf("the notification says %q", got)
	}
}
