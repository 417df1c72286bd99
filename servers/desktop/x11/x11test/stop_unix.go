//go:build unix

package x11test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Stop stops a process until the test ends or calls goOn. It returns when all threads have stopped:
// on a busy computer, the thread that gets the signal may run late, and another one answers until
// then.
func Stop(t testing.TB, pid int) (goOn func()) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	goOn = func() { _ = syscall.Kill(pid, syscall.SIGCONT) }
	t.Cleanup(goOn)
	for end := time.Now().Add(patience); !stopped(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d does not stop within %v", pid, patience)
		}
	}
	return goOn
}

// stopped reports whether all threads of a process are in state T (stopped), see proc_pid_stat(5).
func stopped(pid int) bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid)) // the pattern is well formed
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		if i := bytes.LastIndex(stat, []byte(") ")); i < 0 || !bytes.HasPrefix(stat[i:], []byte(") T")) {
			return false
		}
	}
	return true
}
