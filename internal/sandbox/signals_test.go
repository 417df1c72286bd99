//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// python returns the interpreter itself rather than the shim of a version manager.
func python(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	if real, err := exec.Command(program, "-c", "import sys; print(sys.executable)").Output(); err == nil {
		program = strings.TrimSpace(string(real))
	}
	return program
}

// With the notifier, a server can signal its own processes by number, group and descriptor, even if
// they have handlers.
func TestSignalsToOwnProcesses(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	program := python(t)
	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }()
	script := t.TempDir() + "/x.py"
	if err := os.WriteFile(script, []byte(`
import os, signal, subprocess, sys, threading
got = []
signal.signal(signal.SIGUSR1, lambda *a: got.append(1))
os.kill(os.getpid(), signal.SIGUSR1)
os.kill(0, signal.SIGUSR1)
os.killpg(os.getpgrp(), signal.SIGUSR1)
signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
print("handled", len(got))
for how in ("number", "group", "descriptor"):
    c = subprocess.Popen(["sleep", "600"], start_new_session=how == "group")
    if how == "number": c.terminate()
    if how == "group": os.killpg(c.pid, signal.SIGTERM)
    if how == "descriptor": signal.pidfd_send_signal(os.pidfd_open(c.pid), signal.SIGTERM)
    print(how, c.wait())
g = subprocess.Popen(["sh", "-c", "sleep 600 & echo $!; wait"], stdout=subprocess.PIPE, text=True)
os.kill(int(g.stdout.readline()), signal.SIGKILL)
print("grandchild", g.wait() >= 0)
try:
    os.kill(int(sys.argv[1]), 0)
    print("the victim, too")
except PermissionError:
    print("not the victim")
try:
    os.kill(99999999, 0)
except ProcessLookupError:
    print("nor nobody")
`), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "handled 5\nnumber -15\ngroup -15\ndescriptor -15\ngrandchild True\nnot the victim\nnor nobody\n"
	older := Probe()
	older.Landlock = 5
	for name, status := range map[string]Status{"this kernel": Probe(), "an older one": older} {
		cmd := exec.Command(program, script, strconv.Itoa(victim.Process.Pid))
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		s, err := status.start(cmd, For(program, script, t.TempDir(), nil), nil)
		if err != nil || !s.Signals {
			t.Fatal(s, err)
		}
		defer s.Close()
		if err := cmd.Wait(); err != nil || out.String() != want {
			t.Errorf("on %s: %v\n%s", name, err, out.String())
		}
	}
}
