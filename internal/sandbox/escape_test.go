//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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

	"golang.org/x/sys/unix"

	"goated/internal/servertest"
)

// nobody is the user that the attempts are made as: root is stopped by less and
// may more. He is one of the system's who runs nothing: his processes are counted.
func nobody() uint32 {
	for _, name := range []string{"games", "news", "backup", "list", "lp", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			if id, err := strconv.ParseUint(u.Uid, 10, 32); err == nil && id != 0 && countTasks(uint32(id)) == 0 {
				return uint32(id)
			}
		}
	}
	return servertest.Nobody
}

// A world is what a hostile server finds, see testdata/escape.
type world struct {
	Base, Secret, Etc, Other, History, Link, Home, Outside, Script, Bin, Sockets string

	TCP, TCP6, UDP int
	Allowed        int // a port of this computer that it may connect to
	Name, X11      string
	Host, Victim   int
	Group          int
	FD, Shm, Msg   int
	Forks          int
	Tasks          string
	Shared, Left   string
	Shown          string
}

// An outcome is what became of an attempt.
type outcome struct {
	Name string
	Out  bool
	Why  string
}

const (
	minAttempts  = 60  // attempts that have to count, in each language
	maxProcesses = 128 // processes that a hostile server may start
)

// countFormat is what a language's attempts are summed up by, for [asNobody] to look for.
const countFormat = "%s: %d of %d attempts count, and were held"

// excusedAlone are attempts that succeed where the host does not hide as a keeper does:
// Landlock does not guard where a link leads, nor the thread in the same domain.
var excusedAlone = []string{"find where a thread of the host works"}

// excusedInBubble are attempts that may succeed in a bubble, where they do no harm.
var excusedInBubble = []string{
	"read the table of mounts", // its own, with the disks of the system
}

// A mode to start a hostile server.
type mode int

const (
	unconfined   mode = iota
	sandboxed         // in a sandbox
	olderKernel       // in that of a kernel whose Landlock knows no signals
	oldestKernel      // nor how files are emptied
	inBubble          // in a sandbox, in a bubble
)

// A hostile server in each language tries to get out, and does not: of a sandbox
// alone, and of one in a bubble. Each attempt is made without a sandbox as well,
// where it has to succeed: one that cannot on this machine proves nothing and does
// not count.
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
		if all != len(names) || counted < all-1 { // not each kernel has descriptors of threads
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

// compare reports what got out of a sandbox, and how many attempts were made that
// succeed without one.
func compare(t *testing.T, controls, tried []outcome, fine []string) (counted, all int) {
	t.Helper()
	for _, control := range controls {
		i := slices.IndexFunc(tried, func(o outcome) bool { return o.Name == control.Name })
		switch {
		case i < 0:
			t.Errorf("%s: never tried in the sandbox", control.Name)
		case slices.Contains(fine, control.Name):
		case !control.Out:
			t.Logf("not counted: %s: cannot be done here without a sandbox either: %s", control.Name, control.Why)
			if tried[i].Out {
				t.Errorf("ESCAPED: %s", control.Name)
			}
		case tried[i].Out:
			t.Errorf("ESCAPED: %s", control.Name)
		default:
			counted++
			t.Logf("held: %s: %s", control.Name, tried[i].Why)
		}
	}
	return counted, len(controls)
}

// asNobody runs this test as another user, in a copy that he can read.
func asNobody(t *testing.T) {
	native := build(t, t.TempDir())
	out := servertest.AsUser(t, nobody(), map[string]string{
		"escape": native, "testdata/escape.py": "testdata/escape.py", "testdata/escape.js": "testdata/escape.js",
	}, func(dir string) []string {
		return []string{"ESCAPE_NATIVE=" + filepath.Join(dir, "escape"), "TMPDIR=/tmp", "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
	})
	for _, lang := range []string{"py", "js", "go"} { // a test that was skipped has no such line
		var counted, all int
		_, line, _ := strings.Cut(out, " "+lang+": ")
		if _, err := fmt.Sscanf(lang+": "+line, strings.Replace(countFormat, "%s", lang, 1), &counted, &all); err != nil || counted < minAttempts {
			t.Errorf("%s: %d attempts count, want %d: %v", lang, counted, minAttempts, err)
		}
	}
}

// build compiles the hostile program, where everybody can run it.
func build(t *testing.T, dir string) string {
	t.Helper()
	out := filepath.Join(dir, "escape")
	cmd := exec.Command("go", "build", "-o", out, "./testdata/escape")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, said)
	}
	if err := os.Chmod(out, 0o755); err != nil {
		t.Fatal(err)
	}
	return out
}

// try lets one hostile server loose in a world of its own.
func try(t *testing.T, program, script, native string, how mode, names ...string) []outcome {
	t.Helper()
	w := newWorld(t)
	if how == inBubble {
		w.Host = 1 // of those that it can see
	}
	// The script lies above goated's own folders, as one in ~/.local/share does.
	data := filepath.Dir(w.Bin)
	told := filepath.Dir(w.Tasks)
	tells := filepath.Join(told, "world.json")
	args := append([]string{tells}, names...)
	brought := filepath.Join(w.Script, "escape") // a native program, as packages bring them along
	servertest.Carry(t, native, brought)
	main := ""
	if script != "" {
		main = filepath.Join(w.Script, script)
		servertest.Carry(t, filepath.Join("testdata", script), main)
		args = append([]string{main}, args...)
	} else {
		program, main = brought, brought
	}
	known, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tells, known, 0o600); err != nil {
		t.Fatal(err)
	}
	p := For(program, main, data, nil, filepath.Dir(w.History)).With(Grant{Read: []string{told, brought}})
	p.Limits.Processes = maxProcesses
	cmd := exec.Command(program, args...)
	cmd.Dir = w.Script
	cmd.Env = append(os.Environ(), "HOME="+w.Home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.WaitDelay = time.Second
	runtime.LockOSThread() // a bubble ends with the thread that starts it
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
		if s.Root = false; len(s.Missing()) > 0 || !s.Hosts { // root starts as many processes as he likes
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
		t.Fatalf("the hostile server ended: %v\n%s\n%s", err, out.String(), said.String())
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
		t.Fatalf("it tried nothing: %s", said.String())
	}
	if i := slices.IndexFunc(all, func(o outcome) bool { return o.Name == "leave a file in /dev/shm" }); i >= 0 && all[i].Out && os.Remove(w.Left) != nil {
		all[i].Out, all[i].Why = false, "others do not see it"
	}
	return all
}

// writeTasks tells which threads this process has besides its first: one of
// them made the hostile process and is in its domain.
func writeTasks(file string) {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		panic(err)
	}
	var tids []string
	for _, e := range entries {
		if e.Name() != fmt.Sprint(os.Getpid()) {
			tids = append(tids, e.Name())
		}
	}
	part := file + ".part"
	if err := os.WriteFile(part, []byte(strings.Join(tids, "\n")), 0o600); err != nil {
		panic(err)
	}
	if err := os.Rename(part, file); err != nil {
		panic(err)
	}
}

// newWorld makes everything that there is to reach.
func newWorld(t *testing.T) world {
	t.Helper()
	base := t.TempDir()
	w := world{Base: base, Host: os.Getpid(), Group: syscall.Getpgrp(), Forks: 4 * maxProcesses}
	path := func(names ...string) string { return filepath.Join(append([]string{base}, names...)...) }
	put := func(path string, mode os.FileMode) string {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho secret\n"), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	w.Home, w.Outside, w.Script, w.Sockets = path("home"), path("outside"), path("srv"), path("run")
	w.Bin, w.Tasks = path("srv", "goated", "servers", "mine", "bin"), path("told", "tasks")
	for _, dir := range []string{w.Home, w.Outside, w.Script, w.Sockets, w.Bin, path("told"), path("outside", "gonedir")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.Secret, w.Etc = put(path("home", ".ssh", "id_ed25519"), 0o600), put(path("etc", "secret.conf"), 0o600)
	w.History = put(path("srv", "goated", "history.db"), 0o600)
	w.Other = put(path("srv", "goated", "servers", "other", "files", "token"), 0o600)
	w.Link = path("srv", ".nvmrc") // came with the script
	if err := os.Symlink(w.Secret, w.Link); err != nil {
		t.Fatal(err)
	}
	put(path("home", ".bashrc"), 0o600)
	put(path("outside", "tool"), 0o700)
	for _, name := range strings.Fields("over empty empty2 gone name take swap bylink mode mode3 mode4 mode5 mode6 race owner time half attribute") {
		put(path("outside", name), 0o600)
	}
	w.Shown = path("told", "shown")
	for _, name := range strings.Fields("mode time owner attribute flags lease race") {
		put(filepath.Join(w.Shown, name), 0o600)
	}
	for _, dir := range []string{w.Shown, w.Outside} {
		_ = unix.Setxattr(filepath.Join(dir, "attribute"), "user.mine", []byte("secret"), 0) // not each file system has them
	}

	accept := func(l net.Listener, err error) net.Listener {
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go func() { // ends with the listener
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = io.ReadFull(c, make([]byte, 6))
				_ = c.Close()
			}
		}()
		return l
	}
	w.Allowed = accept(net.Listen("tcp4", "127.0.0.1:0")).Addr().(*net.TCPAddr).Port
	w.TCP = accept(net.Listen("tcp4", "127.0.0.1:0")).Addr().(*net.TCPAddr).Port
	if l, err := net.Listen("tcp6", "[::1]:0"); err == nil { // some machines have none
		w.TCP6 = accept(l, nil).Addr().(*net.TCPAddr).Port
	}
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = udp.Close() })
	w.UDP = udp.LocalAddr().(*net.UDPAddr).Port
	for _, name := range []string{"bus", "docker.sock", "agent"} {
		accept(net.Listen("unix", filepath.Join(w.Sockets, name)))
	}
	journal, err := net.ListenPacket("unixgram", filepath.Join(w.Sockets, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = journal.Close() })
	w.Name, w.X11 = fmt.Sprintf("goated-escape-%d-%d", os.Getpid(), w.TCP), fmt.Sprintf("/tmp/.X11-unix/X%d", w.TCP)
	accept(net.Listen("unix", "@"+w.Name))
	accept(net.Listen("unix", "@"+w.X11))

	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = victim.Process.Kill(); _ = victim.Wait() })
	w.Victim = victim.Process.Pid

	if _, err := os.Stat(shm); err == nil {
		name := fmt.Sprintf("goated-escape-%d-%d", os.Getpid(), w.TCP)
		w.Shared, w.Left = put(filepath.Join(shm, name), 0o600), filepath.Join(shm, name+"-left")
		t.Cleanup(func() { _ = os.Remove(w.Shared) })
	}

	// Open in this process without close-on-exec, as a careless parent leaves it.
	if w.FD, err = unix.Open(w.Secret, unix.O_RDONLY, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(w.FD) })

	w.Shm, w.Msg = 0x60A7000+w.TCP, 0x60A7000+w.TCP
	shm, err := unix.SysvShmGet(w.Shm, 4096, unix.IPC_CREAT|0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = unix.SysvShmCtl(shm, unix.IPC_RMID, nil) })
	msg, _, errno := unix.Syscall(unix.SYS_MSGGET, uintptr(w.Msg), unix.IPC_CREAT|0o600, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
	t.Cleanup(func() { _, _, _ = unix.Syscall(unix.SYS_MSGCTL, msg, unix.IPC_RMID, 0) })
	return w
}
