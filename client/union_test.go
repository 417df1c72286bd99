//go:build unix

package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// exact returns what is wrong with a snapshot. Its tools must be exactly those of the connected
// servers, in total and for each server.
func exact(s client.Snapshot) error {
	ids := make(map[string]bool)
	names := make(map[string]bool)
	for _, srv := range s.Servers {
		if ids[srv.ID] {
			return fmt.Errorf("%s is there twice", srv.ID)
		}
		ids[srv.ID] = true
		want := 0
		if srv.Status == client.Connected {
			want = 2
		}
		if len(srv.Tools) != want || len(srv.Uncallable) != 0 {
			return fmt.Errorf("%s is %v and has %d tools, %d uncallable", srv.ID, srv.Status, len(srv.Tools), len(srv.Uncallable))
		}
		for _, e := range srv.Tools {
			if names[e.Name] || !strings.HasPrefix(e.Name, srv.ID+"__") {
				return fmt.Errorf("%s has %s", srv.ID, e.Name)
			}
			names[e.Name] = true
		}
	}
	if s.Tools() != len(names) {
		return fmt.Errorf("%d tools in all, %d of the servers", s.Tools(), len(names))
	}
	return nil
}

// F31: one script is connected 32 times concurrently. Some are disconnected halfway and
// connected twice. At each step the tools are exactly those of the connected servers, and each
// call reaches its server.
func TestUnionAtEachStep(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	ctx, stop := context.WithCancel(t.Context())
	watched := make(chan int)
	go func() {
		steps := 0
		defer func() { watched <- steps }()
		for s := range h.Watch(ctx) {
			steps++
			if err := exact(s); err != nil {
				t.Errorf("step %d: %v", steps, err)
				return
			}
		}
	}()
	var mu sync.Mutex
	var ids []string
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			id, err := h.Connect(t.Context(), misbehave(t, "plain"))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			ids = append(ids, id)
			mu.Unlock()
		})
	}
	for range 8 { // cancelled while connecting
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(100*time.Millisecond))))
			defer cancel()
			if id, err := h.Connect(ctx, misbehave(t, "plain", "given-up")); err == nil {
				_ = h.Disconnect(t.Context(), id)
			}
		})
	}
	for range 8 { // disconnected by each goroutine that sees it, like in the window
		wg.Go(func() {
			_, err := h.Connect(t.Context(), misbehave(t, "hang"))
			if err == nil {
				t.Error("what was disconnected while it connected is connected")
			} else if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	wg.Go(func() {
		end := time.Now().Add(time.Minute)
		for seen := 0; seen < 8; {
			if time.Now().After(end) {
				t.Errorf("%d of 8 connecting servers were disconnected", seen)
				return
			}
			for _, s := range h.Snapshot().Servers {
				if len(s.Args) == 1 && s.Args[0] == "hang" && s.Status == client.Connecting {
					if h.Disconnect(t.Context(), s.ID) == nil {
						seen++
					}
				}
			}
			time.Sleep(time.Millisecond)
		}
	})
	wg.Wait()
	if s := h.Snapshot(); s.Connected() != 32 || len(s.Servers) != 32 || s.Tools() != 64 {
		t.Fatalf("%d of %d servers connected, with %d tools", s.Connected(), len(s.Servers), s.Tools())
	}
	for i, id := range ids {
		for range i % 5 {
			if _, err := h.Call(t.Context(), id+"__one", nil, nil); err != nil {
				t.Error(err)
			}
		}
	}
	for i, id := range ids {
		r, err := h.Call(t.Context(), id+"__stat", nil, nil)
		if err != nil {
			t.Error(err)
		} else if want := fmt.Sprintf("calls=%d ", i%5+1); !strings.HasPrefix(said(t, r), want) {
			t.Errorf("%s says %s, not %s", id, said(t, r), want)
		}
	}
	for _, id := range ids {
		wg.Go(func() {
			if rand.IntN(2) == 0 {
				_ = h.Restart(t.Context(), id) // a disconnect during the restart counts as one
			}
			if err := h.Disconnect(t.Context(), id); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s := h.Snapshot(); len(s.Servers) != 0 || s.Tools() != 0 {
		t.Errorf("left: %+v", s)
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
	stop()
	t.Logf("%d steps", waittest.Receive(t, "the watch ends", watched))
}

// F35: a tool's schema changes while the tool runs, and another tool disappears. The call
// completes, and then the new list applies.
func TestSchemaChangesMidCall(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "reshape"))
	if _, err := h.Lookup("m__two"); err != nil {
		t.Fatal(err)
	}
	r, err := h.Call(t.Context(), "m__one", nil, nil)
	if err != nil || said(t, r) != "done" {
		t.Fatalf("the call says %v, %v", r, err)
	}
	waittest.Until(t, "the new schema counts", func() bool {
		e, err := h.Lookup("m__one")
		if err != nil {
			return false
		}
		schema, _ := e.Tool.InputSchema.(map[string]any)
		return schema["required"] != nil
	})
	if _, err := h.Call(t.Context(), "m__two", nil, nil); !errors.Is(err, client.ErrToolNotFound) {
		t.Errorf("a tool that has gone: %v", err)
	}
	if r, err := h.Call(t.Context(), "m__stat", nil, nil); err != nil || !strings.HasPrefix(said(t, r), "calls=2 ") {
		t.Errorf("%v, %v", r, err)
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}

// F37: a schema reference to a remote address sends no packet there.
func TestRemoteReferenceIsNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{})
	connect(t, h, misbehave(t, "schema", strconv.Itoa(elsewhere.Addr().(*net.TCPAddr).Port)))
	if r, err := h.Call(t.Context(), "m__one", map[string]any{"b": strings.Repeat("a", 100) + "!"}, nil); err != nil || said(t, r) != "done" {
		t.Errorf("%v, %v", r, err)
	}
	_ = elsewhere.(*net.TCPListener).SetDeadline(time.Now().Add(20 * time.Millisecond))
	if conn, err := elsewhere.Accept(); err == nil {
		_ = conn.Close()
		t.Error("somebody followed it")
	}
	_ = elsewhere.Close()
}
