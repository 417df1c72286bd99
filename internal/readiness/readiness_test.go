package readiness_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/readiness"
	"goated/internal/waittest"
)

// slow is a server with a tool. It does not answer before open, and then fails if broken is set.
type slow struct {
	url  string
	open func()
}

func newSlow(t *testing.T, broken bool) slow {
	t.Helper()
	gate := make(chan struct{})
	s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
			return
		}
		if broken {
			http.Error(w, "out of order", http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	}))
	open := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(func() { open(); srv.CloseClientConnections(); srv.Close() })
	return slow{srv.URL, open}
}

// connect starts a server in the background, and waits until the host knows it.
func connect(t *testing.T, h *client.Host, s slow, name string) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = h.Connect(t.Context(), client.Config{URL: s.url, Name: name})
	}()
	t.Cleanup(func() { h.Close(); waittest.Receive(t, "the connecting ends", done) })
	until(t, h, func(s client.Snapshot) bool {
		return slices.ContainsFunc(s.Servers, func(s client.Server) bool { return s.Name == name })
	})
}

// until waits until the state of the host satisfies reached.
func until(t *testing.T, h *client.Host, reached func(client.Snapshot) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for s := range h.Watch(ctx) {
		if reached(s) {
			return
		}
	}
	t.Fatal("the host does not get there")
}

// await runs a wait to its end. It calls first when the wait reports for the first time which
// servers it waits for.
func await(t *testing.T, tools *readiness.Waiter, first func([]string)) (all []agent.Event) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for e := range tools.Await(ctx) {
		if s, ok := e.(agent.ServersStarting); ok {
			if len(all) == 0 {
				first(s.Names)
			}
			e = agent.ServersStarting{Names: s.Names}
		}
		all = append(all, e)
	}
	if ctx.Err() != nil {
		t.Fatal("the wait did not end")
	}
	return all
}

// A turn that begins while a server is starting gets the server's tools.
func TestAWaitEndsWithTheTools(t *testing.T) {
	t.Parallel()
	h := client.New(client.Options{})
	tools := readiness.New(h)
	s := newSlow(t, false)
	connect(t, h, s, "git")
	events := await(t, tools, func(names []string) {
		if !slices.Equal(names, []string{"git"}) {
			t.Errorf("waits for %q", names)
		}
		s.open()
	})
	if _, missing := events[len(events)-1].(agent.ServersMissing); missing {
		t.Errorf("goes on without a server: %+v", events)
	}
	if n := h.Snapshot().Tools(); n != 1 {
		t.Errorf("the host has %d tools", n)
	}
	if again := await(t, tools, func([]string) {}); len(again) > 0 {
		t.Errorf("a second wait says %+v", again)
	}
}

// A failing server does not end the turn. The wait continues for the other servers, and then
// reports the failed one.
func TestAFailingServerIsNamed(t *testing.T) {
	t.Parallel()
	h := client.New(client.Options{})
	tools := readiness.New(h)
	bad, good := newSlow(t, true), newSlow(t, false)
	connect(t, h, bad, "broken")
	connect(t, h, good, "git")
	events := await(t, tools, func([]string) { bad.open(); good.open() })
	m, ok := events[len(events)-1].(agent.ServersMissing)
	if !ok || !slices.Equal(m.Failed, []string{"broken"}) || len(m.Slow) > 0 {
		t.Errorf("the wait ended with %+v", events)
	}
	if n := h.Snapshot().Tools(); n != 1 {
		t.Errorf("the host has %d tools", n)
	}
}

// A wait has a limit, and later turns do not wait again for a server that it gave up.
func TestAWaitIsBounded(t *testing.T) {
	t.Parallel()
	h := client.New(client.Options{})
	tools := readiness.New(h)
	tools.Limit = 500 * time.Millisecond
	connect(t, h, newSlow(t, false), "git")
	events := await(t, tools, func([]string) {})
	if m, ok := events[len(events)-1].(agent.ServersMissing); !ok || !slices.Equal(m.Slow, []string{"git"}) {
		t.Errorf("the wait ended with %+v", events)
	}
	tools.Limit = time.Hour
	if again := await(t, tools, func([]string) {}); len(again) > 0 {
		t.Errorf("a second wait says %+v", again)
	}
}

// When the context ends, the wait ends without a message about servers.
func TestAWaitCanBeCancelled(t *testing.T) {
	t.Parallel()
	h := client.New(client.Options{})
	tools := readiness.New(h)
	connect(t, h, newSlow(t, false), "git")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	reported := 0
	for e := range tools.Await(ctx) {
		if _, ok := e.(agent.ServersStarting); !ok {
			t.Errorf("the wait says %+v", e)
		}
		reported++
		cancel()
	}
	if reported != 1 {
		t.Errorf("the wait reports %d times, not once before it is cancelled", reported)
	}
}

// An announced start counts before the host knows it. After that it counts only once.
func TestAnAnnouncedStart(t *testing.T) {
	t.Parallel()
	h := client.New(client.Options{})
	tools := readiness.New(h)
	s := newSlow(t, false)
	a := tools.Announce("git", &config.Launch{URL: s.url, Name: "git"})
	events := await(t, tools, func(names []string) {
		if !slices.Equal(names, []string{"git"}) {
			t.Errorf("waits for %q", names)
		}
		connect(t, h, s, "git")
		s.open()
		until(t, h, func(s client.Snapshot) bool { return s.Connected() == 1 })
		tools.End(a, nil)
	})
	for _, e := range events {
		if s, ok := e.(agent.ServersStarting); !ok || len(s.Names) != 1 {
			t.Errorf("the wait says %+v", e)
		}
	}
	lost := tools.Announce("wrong", &config.Launch{Path: "/nowhere.txt"})
	events = await(t, tools, func([]string) { tools.End(lost, errors.New("no such script")) })
	if m, ok := events[len(events)-1].(agent.ServersMissing); !ok || !slices.Equal(m.Failed, []string{"wrong"}) {
		t.Errorf("the wait ended with %+v", events)
	}
}

// Until every start is announced, a turn waits even if no server is known.
func TestAHeldStart(t *testing.T) {
	t.Parallel()
	tools := readiness.New(client.New(client.Options{}))
	tools.Hold()
	events := await(t, tools, func(names []string) {
		if !slices.Equal(names, []string{"your servers"}) {
			t.Errorf("waits for %q", names)
		}
		tools.Release()
	})
	if len(events) != 1 {
		t.Errorf("the wait says %+v", events)
	}
}
