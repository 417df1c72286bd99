//go:build unix

package client_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/internal/wording"
)

// A server that exits during a call restarts within 2 s with the same ID and tools. The host
// does not repeat the call.
func TestRestartAfterExit(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Restart: true})
	id := connect(t, h, misbehave(t, "die"))
	began := time.Now()
	_, err := h.Call(t.Context(), "m__one", nil, nil)
	if want := "Server disconnected during execution: exit status 7: last words"; !errors.Is(err, client.ErrDisconnected) || err.Error() != want {
		t.Fatalf("the call says %v", err)
	}
	if took := time.Since(began); late(took, 100*time.Millisecond) {
		t.Errorf("the call took %v to fail", took)
	}
	until(t, h, "the server failed", func(s client.Snapshot) bool {
		srv := s.Servers[0]
		if srv.Status != client.Failed || srv.Err == nil {
			return false
		}
		if srv.RetryAt.IsZero() || len(srv.Tools) > 0 {
			t.Errorf("the card, meanwhile: %+v", srv)
		}
		return true
	})
	back(t, h, id)
	if took := time.Since(began); late(took, 2*time.Second) {
		t.Errorf("the restart took %v", took)
	}
	r, err := h.Call(t.Context(), "m__stat", nil, nil)
	if err != nil || !strings.HasPrefix(said(t, r), "calls=1 ") { // counts only this call
		t.Errorf("the call was made again: %v %v", r, err)
	}
}

func back(t *testing.T, h *client.Host, id string) {
	t.Helper()
	waittest.Until(t, "the server is connected again", func() bool {
		s := h.Snapshot().Servers
		return len(s) == 1 && s[0].ID == id && s[0].Status == client.Connected && len(s[0].Tools) == 2 && s[0].Err == nil && s[0].RetryAt.IsZero()
	})
}

// A journal keeps the host's log. The log contains even states that the card shows only
// briefly.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(j, nil)) }

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) has(text string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Contains(j.text.String(), text)
}

// The host ends and restarts a server that closes a pipe but keeps running.
func TestRestartAfterClosedPipes(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"closes-stdout", "closes-stdin", "closes-stdin-when-idle"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			var told journal
			h := host(t, client.Options{Restart: true, Logger: told.logger()})
			id := connect(t, h, misbehave(t, mode))
			_, _ = h.Call(t.Context(), "m__one", nil, nil)
			waittest.Until(t, "the log has the protocol error", func() bool { return told.has(`"kind":"protocol error"`) })
			back(t, h, id)
			if r, err := h.Call(t.Context(), "m__stat", nil, nil); err != nil || !strings.HasPrefix(said(t, r), "calls=1 ") {
				t.Errorf("%v %v", r, err)
			}
		})
	}
}

// The host stops restarting a server that exits repeatedly, and reports why.
func TestCrashLoop(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as the pauses")
	}
	h := host(t, client.Options{Restart: true})
	connect(t, h, misbehave(t, "looping"))
	var s client.Server
	waittest.Until(t, "the host stops restarting the server", func() bool {
		s = h.Snapshot().Servers[0]
		return s.Status == client.Failed && s.Err != nil && s.RetryAt.IsZero()
	})
	if want := "Server exited: exit status 9: not again; it ended 6 times within a minute, so goated does not restart it"; s.Err.Error() != want {
		t.Errorf("the card says %q, not %q", s.Err, want)
	}
	var e *client.Error
	if !errors.As(s.Err, &e) || len(e.Stderr) != 20 || e.Stderr[0] != "trying 12" || e.Stderr[19] != "not again" {
		t.Fatalf("the card says %v", s.Err)
	}
	if d := e.Report; d == nil || d.Exit != "exit status 9" || wording.Remedy(d.Diagnosis) == "" {
		t.Errorf("and says %+v", d)
	}
}

// The host restarts a server that closed its stdout or does not read its stdin. It does not
// restart a server whose output is not MCP.
func TestRestartOfUnresponsiveServer(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes as long as a server may not read")
	}
	pad := map[string]any{"pad": strings.Repeat("x", 4<<20)} // more than a pipe holds
	for _, tt := range []struct {
		mode, says string
		within     time.Duration
		again      bool
	}{
		{"closes-stdout", "MCP protocol error: the server closed its stdout", 300 * time.Millisecond, true},
		{"unread", "MCP protocol error: the server has not read its input for 10 seconds", 10500 * time.Millisecond, true},
		{"noise", "MCP protocol error: the server writes something other than MCP messages to its stdout, last: I am not a message", time.Second, false},
	} {
		t.Run(tt.mode, func(t *testing.T) {
			t.Parallel()
			var told journal
			asked := make(chan struct{})
			once := sync.OnceFunc(func() { close(asked) })
			h := host(t, client.Options{Restart: true, Logger: told.logger(), Trace: client.TraceOptions{Report: func(e client.TraceEvent) {
				if e.Direction == client.Sent && bytes.Contains(e.Data, []byte(`"tools/call"`)) {
					once()
				}
			}}})
			id := connect(t, h, misbehave(t, tt.mode))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			last := make(chan error, 1)
			go func() { // the server does not answer this call
				_, err := h.Call(ctx, "m__one", nil, nil)
				last <- err
			}()
			if tt.mode == "unread" {
				waittest.Receive(t, "the server asks", asked) // from now on the server answers nothing
				began := time.Now()
				limited, stop := context.WithTimeout(t.Context(), time.Second)
				_, err := h.Call(limited, "m__stat", pad, nil) // the server is still busy with the first call and does not read this one
				stop()
				if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || late(took, time.Second) {
					t.Errorf("a call that the server does not read ends with %v after %v", err, took)
				}
				cancel() // the write limit applies only when no answer is due
				waittest.Receive(t, "the last call ends", last)
				go func() {
					_, err := h.Call(t.Context(), "m__stat", pad, nil)
					last <- err
				}()
			}
			began := time.Now()
			if err := waittest.Receive(t, "the last call ends", last); !errors.Is(err, client.ErrDisconnected) || late(time.Since(began), tt.within) {
				t.Errorf("the call ends with %v after %v", err, time.Since(began))
			}
			waittest.Until(t, "the log has the reason", func() bool { return told.has(`"message":"` + tt.says + `"`) })
			if !tt.again {
				waittest.Until(t, "the server has failed", func() bool { return h.Snapshot().Servers[0].Err != nil })
				if s := h.Snapshot().Servers[0]; s.Status != client.Failed || !s.RetryAt.IsZero() || s.Err.Error() != tt.says {
					t.Errorf("it is %v, %v", s.Status, s.Err)
				}
				return
			}
			back(t, h, id)
		})
	}
}

// The card of a server whose script was deleted reports this and offers a remedy.
func TestRestartOfDeletedScript(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Restart: true})
	script := filepath.Join(t.TempDir(), "brief.py")
	raw, err := os.ReadFile(servertest.Script("raw.py"))
	if err != nil {
		t.Fatal(err)
	}
	brief := strings.Replace(string(raw), `if mode == "unread":`, `if params(request) == "one":
            sys.exit(3)
        if mode == "unread":`, 1)
	brief = strings.Replace(brief, "tools = [", "def params(r):\n    return r[\"params\"][\"name\"]\n\n\ntools = [", 1)
	if err := os.WriteFile(script, []byte(brief), 0o600); err != nil {
		t.Fatal(err)
	}
	connect(t, h, client.Config{Path: script})
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	_, _ = h.Call(t.Context(), "brief__one", nil, nil)
	waittest.Until(t, "the card says that the script is missing", func() bool {
		var e *client.Error
		return errors.As(h.Snapshot().Servers[0].Err, &e) && errors.Is(e, client.ErrNotFound) && e.Report != nil
	})
	var e *client.Error
	errors.As(h.Snapshot().Servers[0].Err, &e)
	if d := e.Report; d.Cause != diagnose.ScriptMissing || d.Args.Subject != script || wording.CauseText(d.Diagnosis) == "" || wording.Remedy(d.Diagnosis) == "" || !slices.Contains(d.Command, script) {
		t.Errorf("the card is %+v", d)
	}
}

// While a server waits for its restart, the user can disconnect it, and the host can be closed.
func TestDisconnectWhileWaitingForRestart(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Restart: true})
	// waits lets the server die until it waits for a restart that is not due at once: its pause is
	// random.
	waits := func() (at time.Time) {
		waittest.Until(t, "the server waits for its restart", func() bool {
			_, _ = h.Call(t.Context(), "m__one", nil, nil)
			at = h.Snapshot().Servers[0].RetryAt
			return time.Until(at) > 50*time.Millisecond
		})
		return at
	}
	id := connect(t, h, misbehave(t, "die"))
	at := waits()
	if err := h.Disconnect(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(at) + 200*time.Millisecond)
	if s := h.Snapshot().Servers; len(s) != 0 {
		t.Errorf("a disconnected server restarted: %+v", s)
	}
	connect(t, h, misbehave(t, "die"))
	waits()
	began := time.Now()
	h.Close()
	if took := time.Since(began); late(took, time.Second) {
		t.Errorf("closing took %v", took)
	}
}
