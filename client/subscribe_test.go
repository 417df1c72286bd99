//go:build unix

package client_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// watched returns a server in Go whose only resource changes with each call of its tool.
func watched(t *testing.T) *mcp.Server {
	var count atomic.Int64
	ok := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	s := mcp.NewServer(&mcp.Implementation{Name: "watched", Version: "1"}, &mcp.ServerOptions{SubscribeHandler: ok,
		SetCacheable:       func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs = 600_000 }, // valid until the server reports a change
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil }})
	s.AddResource(&mcp.Resource{Name: "count", URI: "note://count"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "note://count", Text: strconv.FormatInt(count.Load(), 10)}}}, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "count"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		count.Add(1)
		return nil, nil, s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "note://count"})
	})
	servertest.CloseSessions(t, s)
	return s
}

// A followed resource can be read again after each change, over a pipe and over HTTP, and in
// both versions of the protocol. After the subscription ends, no changes are reported.
func TestSubscriptions(t *testing.T) {
	t.Parallel()
	web := func(o *mcp.StreamableHTTPOptions) func(t *testing.T) client.Config {
		return func(t *testing.T) client.Config {
			s := watched(t)
			server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o))
			t.Cleanup(server.Close)
			return client.Config{URL: server.URL}
		}
	}
	for name, config := range map[string]func(*testing.T) client.Config{
		"stdio":         func(*testing.T) client.Config { return client.Config{Path: servertest.Script("watched.py")} },
		"with sessions": web(nil),
		"stateless":     web(&mcp.StreamableHTTPOptions{Stateless: true}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := config(t)
			h := host(t, client.Options{Timeouts: client.Timeouts{Connect: 2 * time.Minute}})
			id := connect(t, h, c)
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			changed, err := client.Subscribe(ctx, h, id, "note://count")
			if err != nil || changed == nil {
				t.Fatalf("following: %v", err)
			}
			late := time.After(time.Minute)
			for want := range 3 {
				if _, err := h.Call(t.Context(), id+"__count", nil, nil); err != nil {
					t.Fatal(err)
				}
				for text := ""; text != strconv.Itoa(want+1); { // the start of a subscription is reported, too
					select {
					case <-changed:
					case <-late:
						t.Fatalf("it reads %s, and no change to %d is told", text, want+1)
					}
					read, err := h.ReadResource(t.Context(), id, "note://count")
					if err != nil {
						t.Fatal(err)
					}
					text = read.Contents[0].Text
				}
			}
			if name != "stdio" {
				return
			}
			leave()
			waittest.Until(t, "the server has no subscribers any more", func() bool {
				r, err := h.Call(t.Context(), id+"__count", nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				return said(t, r) == ""
			})
		})
	}
}

// A restarted server has forgotten who follows its resources. goated subscribes again in the
// session that replaces the lost one.
func TestSubscriptionInTheNextSession(t *testing.T) {
	t.Parallel()
	first, second := watched(t), watched(t) // made before the host, so that their sessions end after it
	var handler atomic.Pointer[mcp.StreamableHTTPHandler]
	start := func(s *mcp.Server) {
		handler.Store(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	}
	start(first)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.Load().ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: server.URL})
	changed, err := client.Subscribe(t.Context(), h, id, "note://count")
	if err != nil || changed == nil {
		t.Fatalf("following: %v", err)
	}
	start(second)
	server.CloseClientConnections() // including the stream
	for n := range 6 {              // the first two may come from the new session and its stream
		waittest.Until(t, "the tool answers", func() bool { _, err := h.Call(t.Context(), id+"__count", nil, nil); return err == nil })
		select {
		case <-changed:
		case <-time.After(30 * time.Second):
			t.Fatalf("change %d is not told", n)
		}
	}
}

// A server without subscriptions is not an error. Its resources are read once.
func TestServerWithoutSubscriptions(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{Path: servertest.Dice()})
	if changed, err := client.Subscribe(t.Context(), h, id, "note://count"); changed != nil || err != nil {
		t.Errorf("%v, %v", changed, err)
	}
	if changed, err := client.Subscribe(t.Context(), h, "nobody", "note://count"); changed != nil || err == nil {
		t.Errorf("%v, %v", changed, err)
	}
}

// goated refreshed a server's prompts and resources only after a reconnection, whatever changes
// the server reported, and the SDK cached the lists of MCP 2026-07-28.
func TestChangesOfPromptsAndResourcesAreSeen(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*mcp.StreamableHTTPOptions{"with sessions": nil, "stateless": {Stateless: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := watched(t)
			s.AddPrompt(&mcp.Prompt{Name: "first"}, nil)
			server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, o))
			t.Cleanup(server.Close)
			h := host(t, client.Options{})
			id := connect(t, h, client.Config{URL: server.URL})
			counts := func() [3]int {
				prompts, err := h.Prompts(t.Context(), id)
				resources, wrong := h.Resources(t.Context(), id)
				templates, bad := client.Templates(t.Context(), h, id)
				if err != nil || wrong != nil || bad != nil {
					t.Fatal(err, wrong, bad)
				}
				return [3]int{len(prompts), len(resources), len(templates)}
			}
			if got := counts(); got != [3]int{1, 1, 0} {
				t.Fatalf("it lists %v", got)
			}
			before := h.Snapshot().Servers[0].Offered
			s.AddPrompt(&mcp.Prompt{Name: "second"}, nil)
			waittest.Until(t, "the change of the prompts is told", func() bool { return h.Snapshot().Servers[0].Offered > before })
			before = h.Snapshot().Servers[0].Offered
			s.AddResource(&mcp.Resource{Name: "second", URI: "note://second"}, nil)
			s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "third", URITemplate: "note://{x}"}, nil)
			waittest.Until(t, "the change of the resources is told", func() bool { return h.Snapshot().Servers[0].Offered > before })
			waittest.Until(t, "the lists are new", func() bool { return counts() == [3]int{2, 2, 1} })
		})
	}
}

// A user closes the view of a resource and immediately opens it again, while the server is slow
// to handle the unsubscription. The server used to drop the new subscription with the old one.
// The new view now receives changes.
func TestAResourceThatIsOpenedAgainAtOnceIsFollowed(t *testing.T) {
	t.Parallel()
	left, again := make(chan struct{}, 1), make(chan struct{}, 1)
	var refuses atomic.Bool
	s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler: func(context.Context, *mcp.SubscribeRequest) error {
			again <- struct{}{}
			if refuses.Load() {
				return errors.New("no more subscriptions")
			}
			return nil
		},
		UnsubscribeHandler: func(ctx context.Context, _ *mcp.UnsubscribeRequest) error {
			left <- struct{}{}
			select { // the server is slow
			case <-again:
				again <- struct{}{}
			case <-time.After(300 * time.Millisecond):
			case <-ctx.Done():
			}
			return nil
		}})
	s.AddResource(&mcp.Resource{Name: "count", URI: "note://count"}, nil)
	servertest.CloseSessions(t, s)
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(server.Close)
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: server.URL})
	ctx, leave := context.WithCancel(t.Context())
	if _, err := client.Subscribe(ctx, h, id, "note://count"); err != nil {
		t.Fatal(err)
	}
	waittest.Receive(t, "the server is asked to subscribe", again)
	leave()
	waittest.Receive(t, "the server is asked to unsubscribe", left)
	ctx, leave = context.WithCancel(t.Context())
	defer leave()
	changed, err := client.Subscribe(ctx, h, id, "note://count")
	if err != nil {
		t.Fatal(err)
	}
	waittest.Receive(t, "the server is asked to subscribe again", again)
	update := func() {
		if err := s.ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: "note://count"}); err != nil {
			t.Error(err)
		}
	}
	waittest.Until(t, "the change is told", func() bool { update(); return len(changed) == 1 })
	refuses.Store(true)
	if refused, err := client.Subscribe(t.Context(), h, id, "note://count"); refused != nil || err == nil {
		t.Errorf("a refused subscription: %v, %v", refused, err)
	}
	waittest.Receive(t, "the server is asked for what it refuses", again)
	waittest.Receive(t, "the change arrives", changed)
	waittest.Until(t, "the other subscriber is still told", func() bool { update(); return len(changed) == 1 })
}

// A list of tools whose second page fails is fetched again from its first page, whatever the
// server says about caching. From the SDK's cache, the first page came without the text of its schemas.
func TestToolsAreNotCached(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "paged", Version: "1"}, &mcp.ServerOptions{PageSize: 1,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.TTLMs = 60_000 }})
	add := func(name string) {
		mcp.AddTool(s, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, struct {
			Zone string `json:"zone"`
			City string `json:"city"`
		}) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	}
	add("a")
	var fails atomic.Bool
	var first, failed atomic.Int64
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if p, ok := req.GetParams().(*mcp.ListToolsParams); ok && fails.Load() {
				if p.Cursor == "" {
					first.Add(1)
				} else if failed.Add(1) == 1 {
					return nil, errors.New("the database is busy")
				}
			}
			return next(ctx, method, req)
		}
	})
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(server.Close)
	servertest.CloseSessions(t, s)
	h := host(t, client.Options{})
	id := connect(t, h, client.Config{URL: server.URL})
	fails.Store(true)
	add("b") // the server reports the change
	waittest.Until(t, "both tools are listed", func() bool { return len(slices.Collect(h.Tools())) == 2 })
	for e := range h.Tools() {
		if e.Input == "" {
			t.Errorf("%s of %s has no text of its schema", e.Tool.Name, id)
		}
	}
	if first.Load() < 2 || failed.Load() != 2 {
		t.Errorf("the first page is requested %d times, the second %d times", first.Load(), failed.Load())
	}
}
