package proc

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/sandbox"
	"goated/internal/sandbox/scope"
)

// greedy contains programs that use 96 MiB of memory which belongs to no single process.
var greedy = map[string]string{
	"files in memory": `import os
for i in range(3):
    f = os.memfd_create("x")
    for _ in range(32): os.write(f, b"x" * (1 << 20))
print("done")`,
	"shared memory": `import mmap
m = [mmap.mmap(-1, 32 << 20) for _ in range(3)]
for one in m: one.write(b"x" * (32 << 20))
print("done")`,
	"a folder in memory": `import os
f = os.open("/dev/shm/goated-group-test", os.O_CREAT | os.O_WRONLY)
os.unlink("/dev/shm/goated-group-test")
for _ in range(96): os.write(f, b"x" * (1 << 20))
print("done")`,
	"processes": `import os, time
for i in range(3):
    if os.fork() == 0:
        x = b"x" * (32 << 20)
        time.sleep(20)
        os._exit(0)
for i in range(3): os.wait()
print("done")`,
}

// TestGroups checks that a limit applies to the memory of one server as a sum, and does not affect
// another server.
func TestGroups(t *testing.T) {
	groups, err := scope.Tree()
	if err != nil {
		t.Skip("the system leaves no control group to the test: ", err)
	}
	if !sandbox.Probe().Confined() {
		t.Skip("this system has no sandbox")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	own := ownGroup(t)
	bubble := sandbox.FindBubble(t.Context(), os.Getenv("PATH"))
	for where, b := range map[string]sandbox.Bubble{"bare": {}, "bubble": bubble} {
		command := func(script string, memory uint64) Command {
			p := sandbox.For(python, "", t.TempDir(), nil)
			p.Limits.Memory = memory
			c := Command{Program: python, Args: []string{"-c", script}, Keeper: []string{self, "keep"}, Policy: &p, Groups: groups}
			if where == "bubble" {
				c = c.WithBubble(b)
			}
			return c
		}
		for name, script := range greedy {
			t.Run(where+"/"+name, func(t *testing.T) {
				if name == "a folder in memory" && (where != "bubble" || b.Wrap != sandbox.Wrapped) {
					t.Skip("only in bubblewrap it has a /dev/shm")
				}
				other, err := Start(t.Context(), command(`import sys; print(sys.stdin.readline())`, 64<<20), new(LogRing))
				if err != nil {
					t.Fatal(err)
				}
				if !other.Sandbox().Sums {
					t.Error("it is in no group")
				}
				out, lines, exit, err := Run(t.Context(), command(script, 64<<20))
				if err != nil || !exit.OutOfMemory || exit.Signal != "killed" || out != "" {
					t.Errorf("above the limit: %q, %q, %+v, %v", out, lines, exit, err)
				}
				out, lines, exit, err = Run(t.Context(), command(script, 256<<20))
				if err != nil || exit != (Exit{}) || out != "done\n" {
					t.Errorf("below the limit: %q, %q, %+v, %v", out, lines, exit, err)
				}
				if _, err := fmt.Fprintln(other.Stdin, "hello"); err != nil {
					t.Error(err)
				}
				if line, err := bufio.NewReader(other.Stdout).ReadString('\n'); err != nil || line != "hello\n" {
					t.Errorf("the other server: %q, %v", line, err)
				}
				other.Stop()
				_ = other.Stdout.Close()
				if left, _ := filepath.Glob(filepath.Join(own, "server-*")); len(left) > 0 {
					t.Errorf("left behind: %q", left)
				}
			})
		}
		t.Run(where+"/number of processes", func(t *testing.T) {
			c := command(`import threading, time
try:
    for i in range(100): threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
except RuntimeError as e: print(e)`, 256<<20)
			c.Policy.Limits.Processes = 20
			if out, lines, _, err := Run(t.Context(), c); err != nil || out != "can't start new thread\n" {
				t.Errorf("%q, %q, %v", out, lines, err)
			}
		})
		t.Run(where+"/own limits", func(t *testing.T) {
			if where != "bubble" || b.Wrap != sandbox.Wrapped {
				t.Skip("only in bubblewrap it knows its group")
			}
			out, lines, _, err := Run(t.Context(), command(`import os
group = "/sys/fs/cgroup" + open("/proc/self/cgroup").read().strip().split("0::")[1]
print(open(group + "/memory.max").read().strip())
for attempt in (
    lambda: os.listdir(os.path.dirname(group)),
    lambda: open(group + "/memory.max", "w").write("max"),
    lambda: open(os.path.dirname(group) + "/goated/cgroup.procs", "w").write(str(os.getpid())),
):
    try:
        attempt()
        print("possible")
    except PermissionError: pass`, 64<<20))
			if err != nil || out != "67108864\n" {
				t.Errorf("%q, %q, %v", out, lines, err)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := sandbox.For(python, "", t.TempDir(), nil)
	if _, err := Start(ctx, Command{Program: python, Keeper: []string{self, "keep"}, Policy: &p, Groups: groups}, new(LogRing)); err == nil {
		t.Error("it started")
	}
	if left, _ := filepath.Glob(filepath.Join(own, "server-*")); len(left) > 0 {
		t.Errorf("a start that failed left behind: %q", left)
	}
}

// ownGroup returns the folder of the control groups of this process and of the servers.
func ownGroup(t *testing.T) string {
	t.Helper()
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(strings.TrimSpace(string(group)), "0::")
	return filepath.Dir(filepath.Join("/sys/fs/cgroup", path))
}
