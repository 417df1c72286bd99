package ui_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/ui"
)

// When the user reopened a resource, its view stayed at "Reading…" until the server answered
// the unsubscription of the first view, for up to 10 seconds. The view now shows the text
// first, and follows the resource after the server has answered.
func TestAResourceIsReadBeforeItIsFollowed(t *testing.T) {
	left, answer := make(chan struct{}, 1), make(chan struct{})
	var text atomic.Value
	text.Store("one")
	var gaveUp atomic.Bool
	s := mcp.NewServer(&mcp.Implementation{Name: "mute", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler: func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(ctx context.Context, _ *mcp.UnsubscribeRequest) error {
			left <- struct{}{}
			select {
			case <-answer:
			case <-ctx.Done():
				gaveUp.Store(true)
			}
			return nil
		}})
	s.AddResource(&mcp.Resource{Name: "count", URI: "note://count"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note://count", Text: text.Load().(string)}}}, nil
	})
	d := reads(t, s)
	d.sees("one")
	change := func(to string) {
		text.Store(to)
		d.until("the view shows "+to, func() bool {
			if err := s.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "note://count"}); err != nil {
				t.Error(err)
			}
			return d.Reads(to)
		})
	}
	change("two")
	d.Press("All resources")
	waittest.Receive(t, "the end of the first view", left)
	text.Store("three")
	d.Press("Read")
	d.sees("three")
	if gaveUp.Load() {
		t.Error("the text came only after goated had given up the unsubscription")
	}
	text.Store("four") // without a notification
	close(answer)
	d.sees("four")
	change("five")
	// A closed page still followed its resource, until the next change.
	d.Key(fyne.KeyEscape)
	waittest.Receive(t, "goated follows the resource no more", left)
}

// reads returns a window in which the user reads the only resource of a server.
func reads(t *testing.T, s *mcp.Server) *desk {
	t.Helper()
	servertest.CloseSessions(t, s)
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(server.Close)
	host := client.New(client.Options{Unconfined: unconfined})
	t.Cleanup(host.Close)
	d := hosted(t, ui.Options{Host: host})
	if _, err := host.Connect(t.Context(), client.Config{URL: server.URL, Name: "Counts"}); err != nil {
		t.Fatal(err)
	}
	d.until("the sidebar counts the server", func() bool { return d.After("Tools") == "1" })
	d.openServer("Counts", "Resources")
	d.sees("Read")
	d.Press("Read")
	return d
}

// The page of a resource said "Reading…" forever if its server has no subscriptions or refuses
// one, or if the resource could not be read. The end of the read cancelled the update that it
// had posted.
func TestAResourceThatIsReadOnceIsShown(t *testing.T) {
	refuse := &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return errors.New("no subscriptions today") },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	}
	accept := &mcp.ServerOptions{
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	}
	for _, c := range []struct {
		name    string
		options *mcp.ServerOptions
		works   int32 // how many times the server can read the resource
		sees    string
	}{
		{"no subscriptions", nil, 1, "the text of the note"},
		{"a refused subscription", refuse, 1, "the text of the note"},
		{"a failure", nil, 0, "the disk is full"},
		{"a failure after the subscription", accept, 1, "the disk is full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var calls atomic.Int32
			s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, c.options)
			s.AddResource(&mcp.Resource{Name: "note", URI: "note://one"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				if calls.Add(1) > c.works {
					return nil, errors.New("the disk is full")
				}
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note://one", Text: "the text of the note"}}}, nil
			})
			d := reads(t, s)
			d.until("the page shows "+c.sees, func() bool { return d.Says(c.sees) })
			if d.Reads("Reading…") {
				t.Errorf("the page still reads: %q", d.Texts())
			}
		})
	}
}
