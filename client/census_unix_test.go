//go:build linux || darwin

package client

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The same with the system's own processes: what has no subreaper to go to is
// found, too, and killed.
func TestKinOfRealProcesses(t *testing.T) {
	setsid, err := exec.LookPath("setsid")
	if err != nil {
		t.Skip(err)
	}
	now := takeCensus()
	if me := now[os.Getpid()]; me.parent != os.Getppid() || me.group != syscall.Getpgrp() || me.began == 0 {
		t.Fatalf("this process is %+v", me)
	}
	theirs, leave, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer leave.Close()
	// The child leads a session of its own, and on a word leaves a process behind.
	server := exec.Command("/bin/sh", "-c", setsid+" /bin/sh -c 'read word; sleep 600 & exit' <&3 & exec sleep 600")
	server.ExtraFiles = []*os.File{theirs}
	server.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	root := server.Process.Pid
	k := newKin(root)
	var all []int
	until := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("in vain until %s: %v", what, all)
			}
		}
	}
	apart := 0
	until("the child has a session of its own", func() bool {
		now := takeCensus()
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
	until("it has left an orphan", func() bool {
		now := takeCensus()
		all = k.living(now)
		for _, pid := range all {
			if p := now[pid]; p.group == apart && pid != apart && !slices.Contains(all, p.parent) {
				orphan = pid
			}
		}
		return orphan != 0
	})
	if slices.Contains(takeCensus().below(root), orphan) {
		t.Error("it is no orphan")
	}
	for _, pid := range k.living(takeCensus()) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err := server.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the server ends with %v", err)
	}
	until("all are gone", func() bool { all = k.living(takeCensus()); return len(all) == 0 })
}
