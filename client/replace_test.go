package client

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/proc"
	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/registry"
)

// If a server waits for its restart, connecting it again cancels the wait. The wait would
// otherwise delay Close.
func TestConnectCancelsPendingRestart(t *testing.T) {
	t.Parallel()
	h := New(Options{Env: servertest.Environ(t)})
	defer h.Close()
	c := Config{Path: servertest.Dice(), NoSandbox: true}
	old := newServer(h, c)
	if err := h.list.add(old); err != nil {
		t.Fatal(err)
	}
	defer old.end()
	h.list.setFailed(old, &Error{Kind: ErrExited, Subject: c.Path})
	go func() {
		defer h.wg.Done()
		old.restartAfterCrash(time.Hour)
	}()
	if _, err := h.Connect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	select {
	case <-old.done:
	case <-time.After(10 * time.Second):
		t.Error("it waits on")
	}
	if s := h.Snapshot().Servers; len(s) != 1 || s[0].Status != Connected {
		t.Errorf("the list is %+v", s)
	}
}

// A replaced server may still receive a list of tools. The host ignores the list, because the
// new server has no session yet in which to call them.
func TestToolListOfReplacedServer(t *testing.T) {
	t.Parallel()
	h := New(Options{Env: servertest.Environ(t)})
	defer h.Close()
	c := Config{Path: servertest.Dice(), NoSandbox: true}
	launch, err := c.launch()
	if err != nil {
		t.Fatal(err)
	}
	old := newServer(h, c)
	if err := h.list.add(old); err != nil {
		t.Fatal(err)
	}
	defer old.end()
	next := newServer(h, c)
	if !h.list.replace(old, next) {
		t.Fatal("it is not replaced")
	}
	defer next.failStart(context.Canceled) // it is not started here
	defer next.end()
	if err := old.start(t.Context(), launch); err != nil {
		t.Fatal(err)
	}
	for _, listing := range []string{"connecting", "after a change"} {
		if n := h.Snapshot().Tools(); n != 0 {
			t.Errorf("%s: %d tools can be called of what is not connected", listing, n)
		}
		h.wg.Add(1)
		old.relist()
	}
	h.list.mu.Lock()
	h.list.reg.Set(next.view.ID, false, registry.Origin{}, []*mcp.Tool{{Name: "roll", InputSchema: map[string]any{"type": "object"}}})
	h.list.mu.Unlock()
	if _, err := h.Call(t.Context(), "dice__roll", nil, nil); !errors.Is(err, ErrDisconnected) {
		t.Errorf("a call without a session says %v", err)
	}
}

// A change may arrive while its server is restarting or while another change is being made.
// Neither change is lost.
func TestChangesDuringRestart(t *testing.T) {
	t.Parallel()
	h := New(Options{Env: servertest.Environ(t)})
	defer h.Close()
	c := Config{Path: servertest.Dice(), NoSandbox: true}
	id, err := h.Connect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	met := false
	err = restart(t.Context(), h, id, "changing", func(now *Config) {
		now.Env = []string{"TOKEN=b"}
		if met {
			return
		}
		met = true // the other change comes first
		if err := restart(t.Context(), h, id, "changing", func(now *Config) { now.Grant.Read = []string{"/tmp/a"} }); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	now, _ := h.Config(id)
	if s := h.Snapshot().Servers; len(s) != 1 || s[0].Status != Connected || len(now.Env) != 1 || len(now.Grant.Read) != 1 {
		t.Errorf("it is %+v, of %+v", s, now)
	}
	h.Close()
	if err := h.Restart(t.Context(), id); err == nil {
		t.Error("a closed host restarts it")
	}
}

// A change that handleNotification counts reaches the watchers. They missed the changes that a server has to
// announce after it begins to report changes.
func TestAcknowledgedChangesReachTheWatchers(t *testing.T) {
	t.Parallel()
	h := New(Options{Env: servertest.Environ(t)})
	defer h.Close()
	s := newServer(h, Config{Path: servertest.Dice()})
	for _, params := range []string{`{}`, `{"notifications":{"resourceSubscriptions":["a:b"]}}`} {
		h.list.mu.Lock()
		changed := h.list.changed
		h.list.mu.Unlock()
		s.handleNotification(&jsonrpc.Request{Method: "notifications/subscriptions/acknowledged", Params: []byte(params)}, new(proc.LogRing))
		waittest.Receive(t, "the watchers wake up", changed)
	}
}
