//go:build linux && (amd64 || arm64)

package client_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/waittest"
)

// ways runs a test in each way to keep a server: inside a bubble, if bubblewrap is installed,
// and without one.
func ways(t *testing.T, test func(t *testing.T, noBubble bool)) {
	t.Helper()
	t.Run("bubble", func(t *testing.T) {
		bubblewrap(t)
		test(t, false)
	})
	t.Run("bare", func(t *testing.T) { test(t, true) })
}

func bubblewrap(t testing.TB) {
	t.Helper()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	if b := sandbox.FindBubble(t.Context(), os.Getenv("PATH")); b.Wrap != sandbox.Wrapped {
		t.Skip(b.Err)
	}
}

// A finding is the output of testdata/within.py. A value that the script could not read
// contains the error instead.
type finding struct {
	Locks, Files, Outside, Network, Keeper, Folder string
	Lines, Interfaces, Open                        any
	Leads                                          []bool
}

func within(t *testing.T, h *client.Host, c client.Config) (client.Server, finding) {
	t.Helper()
	c.Path = servertest.Script("within.py")
	id := connect(t, h, c)
	s := waitLine(t, h, id, `{"leads"`) // within.py writes this line last
	var f finding
	for _, line := range s.Stderr {
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	return s, f
}

// A server finds the same in a bubble as outside, and also what is its own: its own
// processes, its own shared memory, and an empty network unless it was given one.
func TestBubble(t *testing.T) {
	ways(t, func(t *testing.T, bare bool) {
		h := host(t, client.Options{Data: t.TempDir(), Process: client.ProcessOptions{NoBubble: bare}})
		t.Setenv("GOATED_TEST_KEY", "a secret")
		s, f := within(t, h, client.Config{Args: []string{"plain", "first"}})
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		if !s.Sandbox.Confined() || !s.Sandbox.Signals || (s.Sandbox.Wrap == sandbox.Wrapped) == bare {
			t.Errorf("it is %s", s.Sandbox)
		}
		if f.Files != "640 981173106" || !strings.HasPrefix(f.Outside, "PermissionError") || f.Folder != here || slices.Contains(f.Leads, false) {
			t.Errorf("its files and folder: %+v", f)
		}
		if !strings.HasPrefix(f.Keeper, "PermissionError") {
			t.Errorf("it reads of its keeper %s", f.Keeper)
		}
		if bare {
			if !strings.HasPrefix(f.Locks, "PermissionError") || fmt.Sprint(f.Lines)[:15] != "PermissionError" {
				t.Errorf("without a bubble it can what the sandbox forbids: %+v", f)
			}
			return
		}
		if fmt.Sprint(f.Open) != "[0 1 2]" {
			t.Errorf("open are %v", f.Open)
		}
		if f.Locks != "through the queue" {
			t.Errorf("multiprocessing: %s", f.Locks)
		}
		ours, err := os.Readlink("/proc/self/ns/net")
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(f.Interfaces) != "[lo]" || f.Network == ours {
			t.Errorf("its network: %v, %s", f.Interfaces, f.Network)
		}
		_, f = within(t, h, client.Config{Args: []string{"plain", "second"}, Grant: sandbox.Grant{Network: sandbox.AnyNetwork}})
		if f.Network != ours {
			t.Errorf("with a network, it has another: %s", f.Network)
		}
		// It sees the keeper and itself, but neither the first server nor these tests.
		if lines, _ := f.Lines.([]any); len(lines) != 2 || !strings.HasSuffix(fmt.Sprint(lines[0]), "keeper\x00") || !strings.HasSuffix(fmt.Sprint(lines[1]), "second\x00") {
			t.Errorf("it sees %q", f.Lines)
		}
	})
}

// Node reads its own memory usage in /proc.
func TestMemoryUsage(t *testing.T) {
	ways(t, func(t *testing.T, bare bool) {
		script := filepath.Join(t.TempDir(), "usage.js")
		source := "try { console.error('rss', process.memoryUsage().rss > 1e6) } catch (e) { console.error(e.code) }\nrequire(" + quoted(servertest.Dice()) + ")\n"
		if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		h := host(t, client.Options{Process: client.ProcessOptions{NoBubble: bare}})
		id := connect(t, h, client.Config{Path: script, Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}})
		s := waitServer(t, h, id, "stderr has a line", func(s client.Server) bool { return len(s.Stderr) > 0 })
		if said := strings.Join(s.Stderr, " "); strings.Contains(said, "rss true") == bare {
			t.Error(said)
		}
	})
}

// A server whose processes are not sandboxed, or that starts no processes, is not in a bubble
// either.
func TestNoBubble(t *testing.T) {
	bubblewrap(t)
	h := host(t, client.Options{})
	for name, c := range map[string]client.Config{"free": {NoSandbox: true}, "alone": {BundledOptions: client.BundledOptions{Alone: true}}} {
		c.Name, c.Path, c.Bundled, c.Args = name, misbehave(t).Path, true, []string{"plain", name}
		connect(t, h, c)
	}
	for _, s := range h.Snapshot().Servers {
		if s.Sandbox.Wrap != sandbox.Unwrapped || s.Policy.Bubble {
			t.Errorf("%s: %+v", s.Name, s.Sandbox)
		}
	}
}

// bubbles returns the bubblewrap processes around servers of this test, and the keepers inside
// them.
func bubbles(t *testing.T) (outer, keepers []int) {
	t.Helper()
	children := func(pid int) []int {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
		for _, task := range tasks {
			if more, err := os.ReadFile(task); err == nil && !strings.Contains(task, fmt.Sprintf("/task/%d/", pid)) {
				data = append(data, more...)
			}
		}
		var out []int
		for _, word := range strings.Fields(string(data)) {
			child, _ := strconv.Atoi(word)
			out = append(out, child)
		}
		return out
	}
	for _, pid := range children(os.Getpid()) {
		if line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); bytes.Contains(line, []byte("--as-pid-1")) {
			outer, keepers = append(outer, pid), append(keepers, children(pid)...)
		}
	}
	return outer, keepers
}

// When any process of a bubble is killed, all processes in the bubble end, and goated notices
// that the server is gone. None of the bubble's own processes has goated's environment.
func TestBubbleBursts(t *testing.T) {
	bubblewrap(t)
	t.Setenv("GEMINI_API_KEY", "a secret")
	for _, which := range []string{"bubblewrap", "keeper"} {
		id := mark(t) + which
		h := host(t, client.Options{})
		connect(t, h, misbehave(t, "family", id))
		waittest.Until(t, "its descendants are there", func() bool { return len(descendants(id)) >= 4 })
		outer, keepers := bubbles(t)
		if len(outer) != 1 || len(keepers) != 1 {
			t.Fatalf("bubblewrap %v, keepers %v", outer, keepers)
		}
		for _, pid := range append(outer, keepers...) {
			data, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if err == nil && bytes.Contains(data, []byte("KEY")) { // only root can read a keeper's environment
				t.Errorf("%d has %q", pid, data)
			}
		}
		victim := outer[0]
		if which == "keeper" {
			victim = keepers[0]
		}
		began := time.Now()
		if err := syscall.Kill(victim, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		waittest.Until(t, "all are gone", func() bool { return len(descendants(id)) == 0 })
		t.Logf("%s killed, all were gone after %v", which, time.Since(began))
		waittest.Until(t, "it is known", func() bool { return h.Snapshot().Servers[0].Err != nil })
		if err := h.Snapshot().Servers[0].Err; !strings.Contains(err.Error(), "killed") {
			t.Errorf("%v", err)
		}
	}
}

// A server that handles SIGTERM receives it once, and so do the processes that it started. None
// is killed before its grace period is over.
func TestTermination(t *testing.T) {
	ways(t, func(t *testing.T, bare bool) {
		said := filepath.Join(t.TempDir(), "said")
		script := filepath.Join(t.TempDir(), "terms.py")
		source := `import os, signal, subprocess, sys, time
def say(text):
    open(` + quoted(said) + `, "a").write(text)
def start(name, **o):
    p = subprocess.Popen(["sh", "-c", 'trap "echo ' + name + ' >> ` + said + `; exit" TERM; echo ready; while :; do sleep 0.02; done'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **o)
    p.stdout.readline()
    return p
children = [start("child"), start("daemon", start_new_session=True)]
def term(*_):
    say("SIGTERM\n")
    for child in children:
        child.wait()
    say("parent\n")
    os._exit(0)
signal.signal(signal.SIGTERM, term)
sys.argv = [sys.argv[0]]
exec(open(` + quoted(servertest.Script("raw.py")) + `).read())
while True:
    time.sleep(1)
`
		if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		h := host(t, client.Options{Process: client.ProcessOptions{NoBubble: bare}})
		g := sandbox.Grant{Write: []string{filepath.Dir(said)}, Read: []string{filepath.Dir(servertest.Script("raw.py"))}}
		var all string
		for range 5 { // a second is short on a busy machine
			_ = os.Remove(said)
			id := connect(t, h, client.Config{Path: script, Grant: g})
			if err := h.Disconnect(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			data, _ := os.ReadFile(said)
			all = string(data)
			if strings.Count(all, "SIGTERM") > 1 {
				break
			}
			lines := strings.Fields(all)
			if slices.Sort(lines); slices.Equal(lines, []string{"SIGTERM", "child", "daemon", "parent"}) && strings.HasSuffix(all, "parent\n") {
				return
			}
		}
		t.Errorf("they say %q", all)
	})
}

// BenchmarkBubble measures the cost of bubblewrap around a keeper. It alternates runs with and
// without bubblewrap under the same load.
func BenchmarkBubble(b *testing.B) {
	bubblewrap(b)
	server := compiled(b)
	hosts := [2]*client.Host{}
	var times, ends [2][]time.Duration
	for i := range hosts {
		hosts[i] = client.New(client.Options{Process: client.ProcessOptions{Keeper: keeper(b), NoBubble: i == 0}})
		defer hosts[i].Close()
	}
	for b.Loop() {
		for i, h := range hosts {
			began := time.Now()
			id, err := h.Connect(b.Context(), client.Config{Path: server, Name: "simple", Bundled: true})
			if err != nil {
				b.Fatal(err)
			}
			times[i] = append(times[i], time.Since(began))
			began = time.Now()
			if err := h.Disconnect(b.Context(), id); err != nil {
				b.Fatal(err)
			}
			ends[i] = append(ends[i], time.Since(began))
		}
	}
	middle := func(d []time.Duration) float64 {
		slices.Sort(d)
		return d[len(d)/2].Seconds() * 1000
	}
	b.ReportMetric(middle(times[0]), "ms-connect-bare")
	b.ReportMetric(middle(times[1]), "ms-connect-bubble")
	b.ReportMetric(middle(ends[0]), "ms-end-bare")
	b.ReportMetric(middle(ends[1]), "ms-end-bubble")
}
