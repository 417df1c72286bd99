//go:build linux

package tasks_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"goated/internal/sandbox/tasks"
)

// Count counts the threads of one user and no others.
func TestCount(t *testing.T) {
	own, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	if n := tasks.Count(uint32(os.Getuid())); n < uint64(len(own))-2 { // some may end
		t.Errorf("%d tasks, but this process alone has more", n)
	}
	if os.Getuid() != 0 {
		return
	}
	const somebody = 54321
	if n := tasks.Count(somebody); n != 0 {
		t.Skipf("user %d runs %d tasks", somebody, n)
	}
	for range 7 {
		c := exec.Command("sleep", "600")
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: somebody, Gid: somebody}}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	}
	if n := tasks.Count(somebody); n != 7 {
		t.Errorf("%d tasks, want 7", n)
	}
}
