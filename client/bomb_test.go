//go:build linux

package client_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"goated/client"
	"goated/internal/sandbox"
)

const nobody = 65534

// F25: a server that starts processes which start processes comes to its limit,
// another server's calls are answered meanwhile, and nobody is left of it. The
// limit is not one for root, so root has nobody run it.
func TestForkBomb(t *testing.T) {
	if !sandbox.Probe().Limits {
		t.Skip(sandbox.Probe())
	}
	if os.Getuid() == 0 {
		bombAsNobody(t)
		return
	}
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		t.Fatal(err)
	}
	limit := int(info.Procs) + int(sandbox.DefaultLimits.Processes)
	id := fmt.Sprintf("60.%09d", os.Getpid()) // for sleep it is a time
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
	for ; time.Since(began) < 20*time.Second && !stopped; stopped = strings.Contains(strings.ToLower(strings.Join(h.Log("bad"), "\n")), "fork") {
		most = max(most, len(kin(id)))
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
	if left := kin(id); len(left) > 0 {
		t.Errorf("%d survive", len(left))
	}
}

// bombAsNobody runs this test as another user, in a copy that he can read.
func bombAsNobody(t *testing.T) {
	dir, err := os.MkdirTemp("", "goated-bomb-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, from := range map[string]string{"client.test": self, "misbehave": misbehave(t).Path} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(dir, "client.test"), "-test.run=^TestForkBomb$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOATED_TEST_MISBEHAVE="+filepath.Join(dir, "misbehave"), "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	t.Logf("as uid %d:\n%s", nobody, out)
	if err != nil {
		t.Error(err)
	}
}
