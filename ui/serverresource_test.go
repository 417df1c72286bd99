package ui_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/ui"
)

// The view of a resource that the user opened again stayed at "Reading…" while the server did not
// answer the unsubscription of the first view: up to 10 seconds. It now shows the text first, and
// follows the resource once the server has answered.
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
	<-left
	text.Store("three")
	d.Press("Read")
	d.sees("three")
	if gaveUp.Load() {
		t.Error("the text came only after goated had given up the unsubscription")
	}
	text.Store("four") // nobody is told of this
	close(answer)
	d.sees("four")
	change("five")
}
