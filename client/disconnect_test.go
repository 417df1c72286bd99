//go:build unix

package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/proctest"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// Close ends a server that ignores the end of stdin and SIGTERM, and also a child process of
// another server.
func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	h := client.New(client.Options{Env: servertest.Environ(t)}) // without a keeper
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"ignores-sigterm"}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"child", pidFile}, Grant: sandbox.Grant{Write: []string{filepath.Dir(pidFile)}}})
	h.Close()
	data, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(data))
	waittest.Until(t, "the grandchild is gone", func() bool { return !proctest.Alive(pid) })
	if _, err := h.Connect(t.Context(), client.Config{Path: servertest.Script("raw.py")}); err == nil {
		t.Error("a closed host connects")
	}
}

// A call to a server that never reads its stdin times out, and Close returns in time.
func TestServerThatNeverReads(t *testing.T) {
	t.Parallel()
	const limit = 3 * time.Second
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: limit}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"unread"}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Name: "other"})
	args := map[string]any{"pad": strings.Repeat("x", 4<<20)} // more than a pipe holds
	for range 2 {
		began := time.Now()
		_, err := h.Call(t.Context(), "raw__one", args, nil)
		if !errors.Is(err, client.ErrCallTimeout) {
			t.Errorf("a call that the server does not read ends with %v", err)
		}
		if took := time.Since(began); late(took, limit) {
			t.Errorf("it took %v", took)
		}
		if _, err := h.Call(t.Context(), "other__one", nil, nil); err != nil {
			t.Errorf("another server's call ends with %v", err)
		}
	}
	began := time.Now()
	h.Close()
	if took := time.Since(began); late(took, 2200*time.Millisecond) {
		t.Errorf("closing took %v", took)
	}
}

// A cancelled call does not disturb the next one.
func TestCancelledCallsLeaveTheSession(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, client.Config{Path: servertest.Script("raw.py")})
	for i := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		_, _ = h.Call(ctx, "raw__one", nil, nil)
		cancel()
		if _, err := h.Call(t.Context(), "raw__two", nil, nil); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
}

// Connect with a cancelled context starts nothing.
func TestConnectWithCancelledContext(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Connect(ctx, misbehave(t, "plain")); !errors.Is(err, context.Canceled) || len(h.Snapshot().Servers) != 0 {
		t.Errorf("%v, %+v", err, h.Snapshot())
	}
}

func TestConnectCancelled(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := h.Connect(ctx, client.Config{Path: servertest.Script("raw.py"), Args: []string{"hang"}})
	if !errors.Is(err, context.Canceled) || len(h.Snapshot().Servers) != 0 {
		t.Errorf("%v, %+v", err, h.Snapshot())
	}
}

// Disconnect with a cancelled context still ends the server and removes it from the list,
// whether the server ends slowly or has already ended.
func TestDisconnectWithCancelledContext(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	slow := connect(t, h, misbehave(t, "ignores-sigterm"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Disconnect(ctx, slow); !errors.Is(err, context.Canceled) {
		t.Errorf("Disconnect returns %v", err)
	}
	waittest.Until(t, "the slow one leaves", func() bool { return len(h.Snapshot().Servers) == 0 })
	for range 10 {
		_, _ = h.Connect(t.Context(), misbehave(t, "exit1"))
		if err := h.Disconnect(ctx, "m"); err != nil || len(h.Snapshot().Servers) != 0 {
			t.Fatalf("disconnecting an ended server: %v", err)
		}
	}
}
