//go:build linux

package client_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// F25: a server starts processes that start processes until it reaches its limit. In the
// meantime, calls to another server are answered. Afterwards no process is left. The limit does
// not apply to root, so root runs the test as nobody.
func TestForkBomb(t *testing.T) {
	if !sandbox.Probe().Limits {
		t.Skip(sandbox.Probe())
	}
	if os.Getuid() == 0 {
		servertest.AsUser(t, servertest.Nobody, map[string]string{"misbehave": misbehave(t).Path, "keeper": smallKeeper.build(t)}, func(dir string) []string {
			return []string{"GOATED_TEST_MISBEHAVE=" + filepath.Join(dir, "misbehave"), "GOATED_TEST_KEEPER=" + filepath.Join(dir, "keeper")}
		})
		return
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	limit := int(info.Procs) + int(sandbox.DefaultLimits.Processes)
	id := fmt.Sprintf("60.%09d", os.Getpid()) // a valid time for sleep
	h := host(t, client.Options{Env: os.Environ()})
	good, bad := misbehave(t, "plain"), misbehave(t, "boom", id)
	good.Name, bad.Name = "good", "bad"
	connect(t, h, good)
	connect(t, h, bad)
	if _, err := h.Call(t.Context(), "bad__one", nil, nil); err != nil {
		t.Fatal(err)
	}
	calls := figure{what: "a call, beside a fork bomb", goal: 100 * time.Millisecond}
	most, stopped := 0, false
	began := time.Now()
	for ; time.Since(began) < 20*time.Second && !stopped; stopped = strings.Contains(strings.ToLower(strings.Join(logLines(h, "bad"), "\n")), "fork") {
		most = max(most, len(descendants(id)))
		asked := time.Now()
		if _, err := h.Call(t.Context(), "good__one", nil, nil); err != nil {
			t.Fatal(err)
		}
		calls.took = append(calls.took, time.Since(asked))
	}
	calls.check(t)
	if !stopped || most > limit {
		t.Errorf("%d processes, stopped: %t", most, stopped)
	}
	began = time.Now()
	if err := h.Disconnect(t.Context(), "bad"); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("%d processes at most, with a limit of %d; disconnected in %v", most, limit, took.Round(time.Millisecond))
	if left := descendants(id); len(left) > 0 {
		t.Errorf("%d survive", len(left))
	}
}
