//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"goated/internal/proctest"
)

// A startRequest tells this program what to start as the first process of a bubble.
type startRequest struct {
	Program string
	Args    []string
	Dir     string
	Env     []string
	Policy  Policy
	Tasks   string // file for the IDs of its threads; may be empty
}

// requestVariable names the variable that holds a startRequest.
const requestVariable = "GOATED_TEST_REQUEST"

func TestMain(m *testing.M) {
	if text := os.Getenv(requestVariable); text != "" {
		os.Exit(serveRequest(text))
	}
	os.Exit(m.Run())
}

// serveRequest starts a process like a keeper, and returns its exit status.
func serveRequest(text string) int {
	var r startRequest
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		panic(err)
	}
	cmd := exec.Command(r.Program, r.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = r.Dir, r.Env, os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	s, err := Start(cmd, r.Policy, nil)
	if err != nil {
		panic(err)
	}
	defer s.Close()
	if s.Root = false; len(s.Missing()) > 0 || s.Wrap != Wrapped { // a limit of processes does not apply to root
		panic(s.Status)
	}
	if r.Tasks != "" {
		writeTasks(r.Tasks)
	}
	_ = cmd.Wait() // the state contains the result
	return cmd.ProcessState.ExitCode()
}

// wrapInBubble changes cmd to start in a bubble under p.
func wrapInBubble(t *testing.T, cmd *exec.Cmd, p Policy, tasks string) {
	t.Helper()
	b := FindBubble(t.Context(), os.Getenv("PATH"))
	if b.Wrap != Wrapped {
		t.Skip(b.Err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p = b.Enclose(p, self)
	text, err := json.Marshal(startRequest{cmd.Path, cmd.Args[1:], cmd.Dir, cmd.Environ(), p, tasks})
	if err != nil {
		t.Fatal(err)
	}
	cmd.Args = b.Command(p, []string{self})
	cmd.Path, cmd.Env = cmd.Args[0], append(os.Environ(), requestVariable+"="+string(text))
}

// runShell runs a script in a bubble under p and returns its output.
func runShell(t *testing.T, p Policy, script string, args ...string) string {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/bin/sh", append([]string{"-c", script}, args...)...)
	wrapInBubble(t, cmd, p, "")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v", err)
	}
	return string(out)
}

// In a bubble, /proc shows a process only itself and its descendants, and its own network, which is
// only the loopback interface if no host is allowed.
func TestBubbleIsolatesProcesses(t *testing.T) {
	p := For("/bin/sh", "", t.TempDir(), nil)
	script := `echo processes /proc/[0-9]*; echo interfaces $(tail -n +3 /proc/net/dev | cut -d: -f1); echo hello > /dev/shm/x && cat /dev/shm/x; ls /dev/shm`
	output := runShell(t, p, script)
	if n := len(strings.Fields(strings.Split(output, "\n")[0])) - 1; n < 2 || n > 4 || !strings.Contains(output, "interfaces lo\nhello\nx\n") {
		t.Errorf("the process sees %s", output)
	}
	ours, err := os.ReadFile("/proc/net/dev")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(ours)), "\n")[2:] {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		if output := runShell(t, p.With(Grant{Network: AnyNetwork}), script); !strings.Contains(output, name) {
			t.Errorf("with the whole network, %s is missing: %s", name, output)
		}
	}
}

// If a host is allowed, the keeper has the computer's network, but no process in the server's /proc
// shows it.
func TestBubbleHidesTheComputersNetwork(t *testing.T) {
	l, err := net.Listen("unix", "@goated-hidden-"+filepath.Base(t.TempDir())+"-"+strconv.Itoa(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	output := runShell(t, For("/bin/sh", "", t.TempDir(), nil).With(Grant{Network: NamedHosts, Hosts: []string{"example.com"}}), `
for f in /proc/net/unix /proc/[0-9]*/net/unix /proc/[0-9]*/task/*/net/unix /proc/1/net/unix /proc/1/task/1/net/unix; do
	if grep -q goated-hidden $f 2>/dev/null; then echo "reads $f"; fi
done
grep -q Inode /proc/self/net/unix && grep -q Name /proc/self/status && echo fine`)
	if output != "fine\n" {
		t.Errorf("the server %s", output)
	}
}

// Files in /proc are read-only in a bubble. Files that contain the kernel's memory, the user's keys
// or the keeper's data are unreadable, even for root.
func TestBubbleProtectsProc(t *testing.T) {
	p := For("/bin/sh", "", t.TempDir(), nil)
	output := runShell(t, p, `cd "$STATE_DIRECTORY"
for f in "$@"; do
	if timeout 5 head -c 1 /proc/$f > got 2>/dev/null && test -s got; then echo "reads $f"; fi
done
for f in sys/kernel/core_pattern sys/vm/overcommit_memory sysrq-trigger self/oom_score_adj self/comm 1/comm 1/oom_score_adj; do
	if (exec >> /proc/$f) 2>/dev/null; then echo "writes $f"; fi
done
for f in /proc/1/cwd /proc/1/root /proc/1/exe /proc/1/fd/0 /proc/1/fd/* /proc/1/task/*/cwd /proc/1/task/*/fd/*; do
	if readlink $f; then echo "follows $f"; fi
done
for f in /proc/1/task/*/environ /proc/1/task/*/mem /proc/1/task/*/maps; do
	if head -c 1 $f 2>/dev/null | grep -q .; then echo "reads $f"; fi
done
(exec < /proc/self/stat) && echo fine`, append([]string{"sh", "1/environ", "1/mem", "1/maps", "1/auxv", "1/stack", "1/syscall", "1/pagemap"}, maskedFiles...)...)
	for _, bad := range []string{"reads", "writes", "follows"} {
		if strings.Contains(output, bad) {
			t.Errorf("the process %s: %s", bad, output)
		}
	}
	if !strings.Contains(output, "fine") {
		t.Errorf("the process can't read its own files: %s", output)
	}
}

// The notifier works with the process IDs of a bubble.
func TestModesAndTimesInABubble(t *testing.T) {
	outside := filepath.Join(makeHome(t, "x"), "x")
	output := runShell(t, For("/bin/sh", "", t.TempDir(), nil), modesAndTimes, outside)
	checkModesAndTimes(t, output)
}

// A bubble does not hide files in /dev/shm that the policy allows.
func TestBubbleKeepsAllowedShm(t *testing.T) {
	dir, err := os.MkdirTemp(shm, "goated-bubble-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := For("/bin/sh", "", filepath.Join(dir, "data"), nil)
	if output := runShell(t, p, `echo hello > "$STATE_DIRECTORY/x" && cat "$STATE_DIRECTORY/x"; echo out > /dev/shm/goated-bubble-x && echo ESCAPED; true`); !strings.Contains(output, "hello") || strings.Contains(output, "ESCAPED") {
		t.Error(output)
	}
}

// A policy for a bubble works only in a bubble.
func TestStartNeedsTheBubble(t *testing.T) {
	p := For("/bin/sh", "", t.TempDir(), nil)
	p.Bubble = true
	if _, err := Start(exec.Command("/bin/true"), p, nil); err == nil || !strings.Contains(err.Error(), "not the first") {
		t.Errorf("outside of a bubble: %v", err)
	}
}

// FindBubble reports why it does not use bubblewrap: missing, writable by users, broken or slow.
func TestUnusableBubblewrap(t *testing.T) {
	if b := FindBubble(t.Context(), "bin:"+t.TempDir()); b.Wrap != WrapMissing || b.Err == nil {
		t.Errorf("missing: %+v", b)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "bwrap")
	write := func(script string) {
		if err := proctest.WriteProgram(program, []byte("#!/bin/sh\n"+script)); err != nil {
			t.Fatal(err)
		}
	}
	write("exit 0")
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if b := FindBubble(t.Context(), dir); b.Wrap != WrapUntrusted || !strings.Contains(b.Err.Error(), "users other than root") {
		t.Errorf("in a folder that everybody can write: %+v", b)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write("echo 'bwrap: No permissions to create new namespace' >&2; echo more >&2; exit 1")
	b := Bubble{program: program}
	if err := b.try(t.Context()); err == nil || !strings.HasSuffix(err.Error(), "exit status 1: bwrap: No permissions to create new namespace") {
		t.Errorf("broken: %v", err)
	}
	write("sleep 60")
	began := time.Now()
	if err := b.try(t.Context()); err == nil || !strings.Contains(err.Error(), "no answer after 5s") || time.Since(began) > bubbleLimit+20*time.Second {
		t.Errorf("slow: %v after %v", err, time.Since(began))
	}
	write("exit 0")
	if err := b.try(t.Context()); err != nil {
		t.Errorf("working: %v", err)
	}
}
