//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"goated/internal/sandbox/tasks"
	"goated/internal/servertest"
)

// nobody returns a user ID for the attempts, because root has more rights. It belongs to a system
// user without processes, because Linux counts processes for the limits.
func nobody() uint32 {
	for _, name := range []string{"games", "news", "backup", "list", "lp", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			if id, err := strconv.ParseUint(u.Uid, 10, 32); err == nil && id != 0 && tasks.Count(uint32(id)) == 0 {
				return uint32(id)
			}
		}
	}
	return servertest.Nobody
}

// An outcome is the result of an attempt.
type outcome struct {
	Name string
	Out  bool
	Why  string
}

const (
	minAttempts  = 60  // attempts that must count, in each language
	maxProcesses = 128 // processes that a hostile server may start
)

// countFormat is the summary of a language's attempts, which [asNobody] reads.
const countFormat = "%s: %d of %d attempts count and failed"

// excusedAlone are attempts that succeed if the host does not hide like a keeper. Landlock protects
// neither the target of a link nor the thread in the same domain.
var excusedAlone = []string{"find where a thread of the host works"}

// excusedInBubble are attempts that may succeed in a bubble, where they are harmless.
var excusedInBubble = []string{
	"receive by UDP",           // nothing arrives: it has its own network
	"read the table of mounts", // the bubble's table, with the system's disks
}

// A mode is a way to start a hostile server.
type mode int

const (
	unconfined   mode = iota
	sandboxed         // in a sandbox
	olderKernel       // in the sandbox of a kernel whose Landlock does not restrict signals
	oldestKernel      // nor truncation
	inBubble          // in a sandbox, in a bubble
)

// A hostile server in each language tries to escape from a sandbox, and from a sandbox in a bubble,
// and fails. Each attempt must succeed without a sandbox. An attempt that fails there on this
// machine proves nothing and does not count.
func TestEscapes(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of processes")
	}
	if s := Probe(); !s.Confined() || !s.Limits {
		t.Skipf("this kernel cannot: %s", s)
	}
	if os.Getuid() == 0 {
		asNobody(t)
		return
	}
	native := os.Getenv("ESCAPE_NATIVE")
	if native == "" {
		native = build(t, t.TempDir())
	}
	for _, lang := range []struct{ name, script, program string }{
		{"py", "escape.py", "/usr/bin/python3"},
		{"js", "escape.js", "node"},
		{"go", "", native},
	} {
		t.Run(lang.name, func(t *testing.T) {
			program, err := exec.LookPath(lang.program)
			if err != nil {
				t.Fatal(err)
			}
			controls := try(t, program, lang.script, native, unconfined)
			t.Run("alone", func(t *testing.T) {
				counted, all := compare(t, controls, try(t, program, lang.script, native, sandboxed), excusedAlone)
				t.Logf(countFormat, lang.name, counted, all)
				if counted < minAttempts {
					t.Errorf("only %d attempts count, want %d", counted, minAttempts)
				}
			})
			t.Run("bubble", func(t *testing.T) {
				if b := FindBubble(t.Context(), os.Getenv("PATH")); b.Wrap != Wrapped {
					t.Skip(b.Err)
				}
				if counted, all := compare(t, controls, try(t, program, lang.script, native, inBubble), excusedInBubble); counted < minAttempts {
					t.Errorf("only %d of %d attempts count, want %d", counted, all, minAttempts)
				}
			})
		})
	}
	t.Run("older", func(t *testing.T) {
		names := []string{"signal the host", "signal the host's group", "signal the host's thread", "signal the thread that made it",
			"signal a thread of the host as if it were a process", "signal the thread that made it, the old way", "signal the host by a descriptor",
			"signal the thread that made it by a descriptor", "signal the victim", "queue a signal for the victim",
			"have a thread of the host signalled by input", "have the victim signalled by input", "have the victim signalled by a socket", "signal everybody"}
		counted, all := compare(t, try(t, "", "", native, unconfined, names...), try(t, "", "", native, olderKernel, names...), nil)
		t.Logf(countFormat, "older", counted, all)
		if all != len(names) || counted < all-1 { // older kernels lack file descriptors for threads
			t.Errorf("only %d of %d attempts count", counted, len(names))
		}
	})
	t.Run("oldest", func(t *testing.T) {
		names := []string{"empty a file outside", "empty a file outside by opening it", "overwrite a file outside"}
		counted, all := compare(t, try(t, "", "", native, unconfined, names...), try(t, "", "", native, oldestKernel, names...), nil)
		t.Logf(countFormat, "oldest", counted, all)
		if counted != len(names) {
			t.Errorf("only %d of %d attempts count", counted, len(names))
		}
	})
}

// compare reports attempts that succeed in a sandbox. It counts the attempts that succeed without a
// sandbox and fail in it.
func compare(t *testing.T, controls, tried []outcome, fine []string) (counted, all int) {
	t.Helper()
	for _, control := range controls {
		i := slices.IndexFunc(tried, func(o outcome) bool { return o.Name == control.Name })
		switch {
		case i < 0:
			t.Errorf("%s: never tried in the sandbox", control.Name)
		case slices.Contains(fine, control.Name):
		case !control.Out:
			t.Logf("not counted: %s: fails without a sandbox too: %s", control.Name, control.Why)
			if tried[i].Out {
				t.Errorf("ESCAPED: %s", control.Name)
			}
		case tried[i].Out:
			t.Errorf("ESCAPED: %s", control.Name)
		default:
			counted++
			t.Logf("failed: %s: %s", control.Name, tried[i].Why)
		}
	}
	return counted, len(controls)
}

// asNobody runs this test as another user, in a copy that the user can read.
func asNobody(t *testing.T) {
	native := build(t, t.TempDir())
	out := servertest.AsUser(t, nobody(), map[string]string{
		"escape": native, "testdata/escape.py": "testdata/escape.py", "testdata/escape.js": "testdata/escape.js",
	}, func(dir string) []string {
		return []string{"ESCAPE_NATIVE=" + filepath.Join(dir, "escape"), "TMPDIR=/tmp", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
	})
	for _, lang := range []string{"py", "js", "go"} { // a skipped test has no such line
		var counted, all int
		_, line, _ := strings.Cut(out, " "+lang+": ")
		if _, err := fmt.Sscanf(lang+": "+line, strings.Replace(countFormat, "%s", lang, 1), &counted, &all); err != nil || counted < minAttempts {
			t.Errorf("%s: %d attempts count, want %d: %v", lang, counted, minAttempts, err)
		}
	}
}

// build compiles the hostile program so that everybody can run it.
func build(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(dir, "escape")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", out, "./testdata/escape")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	if err := os.Chmod(out, 0o755); err != nil {
		t.Fatal(err)
	}
	return out
}

// try runs a hostile server in a new world.
func try(t *testing.T, program, script, native string, how mode, names ...string) []outcome {
	t.Helper()
	w := newWorld(t)
	if how == inBubble {
		w.Host = 1 // of the processes that it can see
	}
	// The script is above goated's private folders, like a script in ~/.local/share.
	data := filepath.Dir(w.Bin)
	shared := filepath.Dir(w.Tasks)
	worldFile := filepath.Join(shared, "world.json")
	args := append([]string{worldFile}, names...)
	carried := filepath.Join(w.Script, "escape") // a native program, like the ones in packages
	servertest.Carry(t, native, carried)
	main := ""
	if script != "" {
		main = filepath.Join(w.Script, script)
		servertest.Carry(t, filepath.Join("testdata", script), main)
		args = append([]string{main}, args...)
	} else {
		program, main = carried, carried
	}
	encoded, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(worldFile, encoded, 0o600); err != nil {
		t.Fatal(err)
	}
	p := For(program, main, data, nil, filepath.Dir(w.History)).With(Grant{Read: []string{shared, carried}})
	p.Limits.Processes = maxProcesses
	cmd := exec.Command(program, args...)
	cmd.Dir = w.Script
	cmd.Env = append(os.Environ(), "HOME="+w.Home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	cmd.WaitDelay = time.Second
	runtime.LockOSThread() // the bubble ends with the thread that starts it
	defer runtime.UnlockOSThread()
	switch how {
	case sandboxed, olderKernel, oldestKernel:
		status := Probe()
		switch how {
		case olderKernel:
			status.Landlock = 5
		case oldestKernel:
			status.Landlock = 2
		}
		s, err := status.start(cmd, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if s.Root = false; len(s.Missing()) > 0 || !s.Hosts { // a limit of processes does not apply to root
			t.Fatal(s)
		}
		writeTasks(w.Tasks)
	case inBubble:
		wrapInBubble(t, cmd, p, w.Tasks)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	default:
		p.prepare()
		cmd.Env = append(cmd.Env, p.environment()...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		writeTasks(w.Tasks)
	}
	watchdog := time.AfterFunc(4*time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err = cmd.Wait()
	watchdog.Stop()
	if err != nil {
		t.Fatalf("the hostile server failed: %v\n%s\n%s", err, out.String(), errors.String())
	}
	var all []outcome
	for line := bufio.NewScanner(&out); line.Scan(); {
		var o outcome
		if err := json.Unmarshal(line.Bytes(), &o); err != nil {
			t.Fatalf("%q: %v", line.Text(), err)
		}
		all = append(all, o)
	}
	if len(all) == 0 {
		t.Fatalf("the server tried nothing: %s", errors.String())
	}
	if i := slices.IndexFunc(all, func(o outcome) bool { return o.Name == "send by UDP" }); i >= 0 && all[i].Out && !arrived(t, w.udp) {
		all[i].Out, all[i].Why = false, "nothing arrives"
	}
	if i := slices.IndexFunc(all, func(o outcome) bool { return o.Name == "leave a file in /dev/shm" }); i >= 0 && all[i].Out && os.Remove(w.Left) != nil {
		all[i].Out, all[i].Why = false, "other processes do not see it"
	}
	return all
}

// arrived reports whether a packet arrived before one that the test sends now.
func arrived(t *testing.T, at net.PacketConn) bool {
	t.Helper()
	c, err := net.Dial("udp4", at.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("last")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 64)
	n, _, err := at.ReadFrom(b)
	return err != nil || string(b[:n]) != "last"
}
