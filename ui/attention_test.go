package ui_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/ui"
	"goated/ui/internal/samples"
)

// The desktop learns of a turn that ended while the window was hidden, and that
// the user has looked at it.
func TestUnreadIsCounted(t *testing.T) {
	var unread atomic.Int64
	release := make(chan struct{})
	d := shown(t, ui.Options{Desktop: ui.DesktopOptions{Unread: func(n int) { unread.Store(int64(n)) }}, Agent: ui.AgentOptions{NewSession: sessions(
		func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
			select {
			case <-release:
				samples.Echo(ctx, h, yield)
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

// A long turn that ends while the user is away is notified, and its conversation
// is unread until the user opens it.
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
	d.window.Toggle() // away
	d.clock = d.clock.Add(11 * time.Second)
	d.until("the window is hidden", d.window.Hidden)
	close(release)
	d.until("the first turn ends", d.window.Settled)
	if got := <-notified; !strings.HasPrefix(got, "first: ") {
		t.Errorf("the notification says %q", got)
	}
	d.until("the conversation is unread", func() bool { return unread.Load() == 1 })
	d.window.Toggle()
	d.Press("first")
	d.until("the conversation is read", func() bool { return unread.Load() == 0 })
}
