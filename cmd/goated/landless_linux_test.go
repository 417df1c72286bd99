package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// landless is the argument that makes the test program run another program on a simulated kernel
// without Landlock.
const landless = "without-landlock"

// withoutLandlock runs a program on a kernel that appears to have no Landlock. It returns only if
// that is not possible.
func withoutLandlock(argv []string) error {
	runtime.LockOSThread() // the program inherits this thread's filter
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // load the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_LANDLOCK_CREATE_RULESET, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return fmt.Errorf("setting the filter: %w", err)
	}
	return syscall.Exec(argv[0], argv, os.Environ())
}

// If the kernel cannot confine a server, goated does not run it without asking. Without a user it
// refuses, and the error names the flag that allows it. With a user it asks. goated reports which
// servers run unconfined.
func TestWithoutLandlock(t *testing.T) {
	p := newPlace(t)
	p.quietGo()
	p.through = []string{os.Args[0], landless}
	ran := filepath.Join(p.home, "ran")
	raw, err := os.ReadFile(servertest.Script("raw.py"))
	if err != nil {
		t.Fatal(err)
	}
	free := p.write("free.py", "open("+"'"+ran+"'"+", 'w').close()\n"+string(raw))
	started := func() bool { _, err := os.Stat(ran); return os.Remove(ran) == nil && err == nil }
	out, _, _ := p.run("doctor")
	if !strings.Contains(out, "Not sandboxed: ") {
		t.Fatalf("the kernel has Landlock:\n%s", out)
	}
	const told = "free is not sandboxed: it can read and change all your files"
	for _, args := range [][]string{{"tools"}, {"call", "one", "--yes"}, {"chat", "-p", "one", "--yes"}} {
		_, aside, code := p.run(append(args, "--no-bundled", "--server", free)...)
		if code != 1 || started() || !strings.Contains(aside, "this system cannot sandbox it, and goated cannot ask you here whether to run it anyway") || !strings.Contains(aside, "To run it anyway, write --no-sandbox after its --server.") {
			t.Errorf("%v: status %d\n%s", args, code, aside)
		}
		out, aside, code = p.run(append(args, "--no-bundled", "--no-sandbox", "--server", free)...)
		if args[0] != "chat" && code != 0 || !started() || !strings.Contains(aside, told) {
			t.Errorf("%v with the flag: status %d\n%s%s", args, code, out, aside)
		}
	}
	for _, args := range [][]string{{"tools"}, {"call", "one", "--yes"}, {"chat"}} {
		for _, answer := range []string{"n", "y"} {
			s, wait := p.screen(append(args, "--no-bundled", "--server", free)...)
			s.wait("This system can't sandbox free. It can do everything that you can")
			s.wait("Run it? [y/N]")
			if started() {
				t.Errorf("%v: it runs before there is an answer", args)
			}
			s.enter(answer)
			switch {
			case answer == "n":
				s.wait("you did not allow it to run without")
			default:
				s.wait(told)
			}
			if args[0] == "chat" { // the chat continues without the server
				s.wait("›")
				s.enter("\x04")
			}
			code := wait()
			if got := started(); got != (answer == "y") {
				t.Errorf("%v, %s: status %d, it ran: %v", args, answer, code, got)
			}
		}
	}
}

// On a kernel with a sandbox, goated asks nothing, and reports servers with --no-sandbox.
func TestWithoutSandboxIsSaid(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	p := newPlace(t)
	if _, aside, code := p.run("tools", "--no-bundled", "--server", servertest.Script("raw.py")); code != 0 || strings.Contains(aside, "sandboxed") {
		t.Errorf("status %d\n%s", code, aside)
	}
	if _, aside, code := p.run("tools", "--no-bundled", "--no-sandbox", "--server", servertest.Script("raw.py")); code != 0 || !strings.Contains(aside, "raw is not sandboxed: ") {
		t.Errorf("status %d\n%s", code, aside)
	}
}
