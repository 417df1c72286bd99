//go:build linux || darwin

package proc

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// descendants finds and kills real orphans that the keeper did not adopt.
func TestDescendantsOfRealProcesses(t *testing.T) {
	setsid, err := exec.LookPath("setsid")
	if err != nil {
		t.Skip(err)
	}
	now := readProcTable()
	if me := now[os.Getpid()]; me.parent != os.Getppid() || me.group != syscall.Getpgrp() || me.began == 0 {
		t.Fatalf("this process is %+v", me)
	}
	theirs, leave, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer leave.Close()
	// The child leads its own session. When it reads a line, it leaves an orphan.
	server := exec.Command("/bin/sh", "-c", setsid+" /bin/sh -c 'read word; sleep 600 & exit' <&3 & exec sleep 600")
	server.ExtraFiles = []*os.File{theirs}
	server.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	root := server.Process.Pid
	k := newDescendants(root)
	var all []int
	until := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("timeout before %s; descendants: %v", what, all)
			}
		}
	}
	apart := 0
	until("the child leads a session", func() bool {
		now := readProcTable()
		all = k.living(now)
		for _, pid := range all {
			if p := now[pid]; p.group == pid && pid != root {
				apart = pid
			}
		}
		return apart != 0
	})
	if _, err := leave.WriteString("go\n"); err != nil {
		t.Fatal(err)
	}
	orphan := 0
	until("there is an orphan", func() bool {
		now := readProcTable()
		all = k.living(now)
		for _, pid := range all {
			if p := now[pid]; p.group == apart && pid != apart && !slices.Contains(all, p.parent) {
				orphan = pid
			}
		}
		return orphan != 0
	})
	if slices.Contains(readProcTable().below(root), orphan) {
		t.Error("the process is not an orphan")
	}
	for _, pid := range k.living(readProcTable()) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err := server.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the server ends with %v", err)
	}
	until("all have exited", func() bool { all = k.living(readProcTable()); return len(all) == 0 })
}
