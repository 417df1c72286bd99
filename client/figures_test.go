//go:build linux

package client_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"goated/client"
	"goated/internal/waittest"
)

// TestSoakFigures measures how soon goated notices failures. GOATED_SOAK_FIGURES sets the
// number of measurements of each, two by default.
func TestSoakFigures(t *testing.T) {
	n := soak("GOATED_SOAK_FIGURES", 2)
	dead := figure{what: "a dead server is noticed", goal: 100 * time.Millisecond}
	failed := figure{what: "its call in flight fails", goal: 100 * time.Millisecond}
	revived := figure{what: "its tools are back", goal: 2 * time.Second}
	stdoutClosed := figure{what: "a closed stdout is noticed", goal: 100 * time.Millisecond}
	stdinClosed := figure{what: "a closed stdin is noticed", goal: 100 * time.Millisecond}
	unread := figure{what: "a write ends behind the limit by", goal: 50 * time.Millisecond}
	for range n {
		d, f, r := bury(t)
		dead.took, failed.took, revived.took = append(dead.took, d), append(failed.took, f), append(revived.took, r)
		stdoutClosed.took = append(stdoutClosed.took, noticed(t, "closes-stdout"))
		stdinClosed.took = append(stdinClosed.took, noticed(t, "closes-stdin"))
		unread.took = append(unread.took, overdue(t))
	}
	for _, f := range []*figure{&dead, &failed, &revived, &stdoutClosed, &stdinClosed, &unread} {
		f.check(t)
	}
}

// bury kills a server in the middle of a call.
func bury(t *testing.T) (noticed, failed, revived time.Duration) {
	h := host(t, client.Options{Restart: true})
	defer h.Close()
	id := mark(t)
	server := connect(t, h, misbehave(t, "hangcall", id))
	ended := make(chan time.Time, 1)
	go func() {
		_, _ = h.Call(t.Context(), server+"__one", nil, nil)
		ended <- time.Now()
	}()
	time.Sleep(30 * time.Millisecond) // the call has reached the server
	pids := descendants(id)
	if len(pids) != 1 {
		t.Fatalf("processes: %v", pids)
	}
	began := time.Now()
	put := make(chan time.Time, 1)
	go func() { put <- statusAt(t.Context(), h, client.Failed) }()
	_ = syscall.Kill(pids[0], syscall.SIGKILL)
	noticed, failed = waittest.Receive(t, "the status changes", put).Sub(began), waittest.Receive(t, "the call ends", ended).Sub(began)
	return noticed, failed, statusAt(t.Context(), h, client.Connected).Sub(began)
}

// statusAt returns the time at which the only server has a status.
func statusAt(ctx context.Context, h *client.Host, want client.Status) time.Time {
	for s := range h.Watch(ctx) {
		if s.Servers[0].Status == want {
			break
		}
	}
	return time.Now()
}

// noticed calls a server that closes one of its streams during the call. It returns the time
// until the card shows the failure.
func noticed(t *testing.T, mode string) time.Duration {
	h := host(t, client.Options{})
	defer h.Close()
	server := connect(t, h, misbehave(t, mode))
	began := time.Now()
	_, _ = h.Call(t.Context(), server+"__one", nil, nil)
	return statusAt(t.Context(), h, client.Failed).Sub(began)
}

// overdue returns by how much a call to a server that does not read exceeds its time limit.
func overdue(t *testing.T) time.Duration {
	const limit = 300 * time.Millisecond
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: limit}})
	defer h.Close()
	server := connect(t, h, misbehave(t, "unread"))
	_, _ = h.Call(t.Context(), server+"__one", nil, nil)      // the server reads nothing after this call
	args := map[string]any{"pad": strings.Repeat("x", 1<<18)} // more than a pipe holds
	began := time.Now()
	if _, err := h.Call(t.Context(), server+"__one", args, nil); !errors.Is(err, client.ErrCallTimeout) {
		t.Errorf("a call that nobody read says %v", err)
	}
	return time.Since(began) - limit
}

// F24: measures the cost of a server that exits repeatedly, until the host stops restarting it
// and afterwards.
func TestSoakCrashLoop(t *testing.T) {
	if os.Getenv("GOATED_SOAK_FIGURES") == "" {
		t.Skip("takes as long as the pauses; TestCrashLoop has the rest")
	}
	h := host(t, client.Options{Restart: true})
	// share returns the percentage of a processor that is used until a condition. It asks seldom,
	// because its own questions count.
	share := func(what string, until func() bool) float64 {
		before, began := processor(t), time.Now()
		for !until() {
			if time.Since(began) > 2*time.Minute {
				t.Fatalf("never the end of %s", what)
			}
			time.Sleep(50 * time.Millisecond)
		}
		took := time.Since(began)
		percent := 100 * float64(processor(t)-before) / float64(took)
		t.Logf("%s, %v: %.2f%% of a processor", what, took.Round(time.Millisecond), percent)
		return percent
	}
	connect(t, h, misbehave(t, "looping"))
	share("a server that ends again and again", func() bool {
		s := h.Snapshot().Servers[0]
		return s.Status == client.Failed && s.Err != nil && s.RetryAt.IsZero()
	})
	began := time.Now()
	if percent := share("and when it is left alone", func() bool { return time.Since(began) > 5*time.Second }); percent > 1 {
		t.Errorf("a server that is left alone takes %.2f%% of a processor, more than 1%%", percent)
	}
}

// processor returns the processor time of this process and of its ended children.
func processor(t *testing.T) (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(used.Utime.Nano() + used.Stime.Nano())
	}
	return sum
}

// F20: a server that cannot start fails quickly, with an exact message.
func TestSoakRefusals(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f := figure{what: "what can't be started is refused", goal: 200 * time.Millisecond}
	for _, tt := range []struct {
		path string
		says string // % stands for the path
		kind error
	}{
		{filepath.Join(dir, "none"), `exec: "%": stat %: no such file or directory`, fs.ErrNotExist},
		{file("forbidden", "#!/bin/sh\n", 0o600), `exec: "%": permission denied`, fs.ErrPermission},
		{dir, `exec: "%": is a directory`, syscall.EISDIR},
		{file("binary", "\x00\x01 nothing\n", 0o700), "fork/exec %: exec format error", syscall.ENOEXEC},
		{file("empty", "", 0o700), "fork/exec %: exec format error", syscall.ENOEXEC},
		{file("shebang", "#!/no/such/interpreter\n", 0o700), "fork/exec %: no such file or directory", fs.ErrNotExist},
	} {
		for range soak("GOATED_SOAK_FIGURES", 2) {
			h := host(t, client.Options{})
			began := time.Now()
			_, err := h.Connect(t.Context(), client.Config{Path: tt.path, Bundled: true})
			f.took = append(f.took, time.Since(began))
			h.Close()
			if want := "Failed to start server: " + strings.ReplaceAll(tt.says, "%", tt.path); err == nil || err.Error() != want || !errors.Is(err, tt.kind) {
				t.Errorf("it says %q, not %q", err, want)
			}
		}
	}
	f.check(t)
}
