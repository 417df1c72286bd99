//go:build unix

package client_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// A saved server that cannot be launched stays in the list with the reason, like one whose
// program is missing. It works again when its script is back.
func TestConnectSavedListsWhatCannotBeLaunched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gone, folder := filepath.Join(dir, "gone.py"), filepath.Join(dir, "folder.py")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		config client.Config
		kind   error
		cause  diagnose.Cause
	}{
		{"no script", client.Config{Path: gone}, client.ErrNotFound, diagnose.ScriptMissing},
		{"no folder", client.Config{Command: "node", Dir: filepath.Join(dir, "none")}, client.ErrStart, diagnose.ProgramGone},
		{"a folder", client.Config{Path: folder}, client.ErrStart, ""},
		{"no script type", client.Config{Path: "/no/such/server.rb"}, client.ErrExtension, ""},
		{"no address", client.Config{URL: "http://"}, client.ErrStart, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{})
			for range 2 { // the second attempt replaces the first
				if _, err := client.ConnectSaved(t.Context(), h, tt.config); !errors.Is(err, tt.kind) {
					t.Fatalf("the error is %v, want %v", err, tt.kind)
				}
			}
			list := h.Snapshot().Servers
			if len(list) != 1 || list[0].Status != client.Failed || !errors.Is(list[0].Err, tt.kind) {
				t.Fatalf("the list is %+v", list)
			}
			var e *client.Error
			if errors.As(list[0].Err, &e); e.Report == nil || tt.cause != "" && e.Report.Cause != tt.cause {
				t.Errorf("the diagnosis is %+v", e.Report)
			}
			if why := wording.ReasonText(list[0].Err); strings.HasPrefix(why, " ") || strings.HasPrefix(why, ".") || e.Report.Command[0] == "" {
				t.Errorf("it says %q of %q", why, e.Report.Command)
			}
			if err := h.Disconnect(t.Context(), list[0].ID); err != nil || len(h.Snapshot().Servers) != 0 {
				t.Errorf("dismissing: %v, %+v", err, h.Snapshot())
			}
		})
	}
	t.Run("again", func(t *testing.T) {
		h := host(t, client.Options{})
		script := filepath.Join(t.TempDir(), "again.py")
		_, _ = client.ConnectSaved(t.Context(), h, client.Config{Path: script})
		raw, err := os.ReadFile(servertest.Script("raw.py"))
		if err == nil {
			err = os.WriteFile(script, raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		id := h.Snapshot().Servers[0].ID
		if err := h.Restart(t.Context(), id); err != nil || h.Snapshot().Servers[0].Status != client.Connected {
			t.Errorf("restarting: %v, %+v", err, h.Snapshot())
		}
	})
}

// A start prepares the launch once, whether or not the server is saved.
func TestConnectSavedPreparesOnce(t *testing.T) {
	h := client.New(client.Options{})
	h.Close() // so that nothing starts
	c := client.Config{Command: "/bin/sh", Dir: t.TempDir()}
	ctx := t.Context()
	least := func(connect func()) float64 { // goroutines of other tests add allocations to some of the runs
		n := math.Inf(1)
		for range 10 {
			n = min(n, testing.AllocsPerRun(10, connect))
		}
		return n
	}
	once := least(func() { _, _ = h.Connect(ctx, c) })
	saved := least(func() { _, _ = client.ConnectSaved(ctx, h, c) })
	if saved > once+1 {
		t.Errorf("a saved server makes %v allocations, and another %v", saved, once)
	}
}

func BenchmarkConnectSaved(b *testing.B) {
	h := client.New(client.Options{})
	h.Close() // so that nothing starts
	c := client.Config{Path: filepath.Join(b.TempDir(), "a.py"), Dir: b.TempDir()}
	if err := os.WriteFile(c.Path, nil, 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		_, _ = client.ConnectSaved(b.Context(), h, c)
	}
}
