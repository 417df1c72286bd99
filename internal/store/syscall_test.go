//go:build linux

package store_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// changing lists the system calls that change files.
const changing = "write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat"

// traced runs a child that sends one message under strace, which injects a fault at the n-th of the
// given calls. These are the calls of one thread; see child.
func traced(t *testing.T, path, calls, fault string, n int) ([]ack, error) {
	t.Helper()
	cmd := start("send", path)
	cmd.Args = append([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls,
		"-e", fmt.Sprintf("inject=%s:%s:when=%d", calls, fault, n)}, cmd.Args...)
	cmd.Path, cmd.Err = exec.LookPath("strace")
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	var acks []ack
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var a ack
		if json.Unmarshal(lines.Bytes(), &a) != nil {
			break
		}
		acks = append(acks, a)
	}
	return acks, err
}

func needStrace(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("strace", "-qq", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("strace does not work here: %v %s", err, out)
	}
}

// stride returns the step of a sweep over system calls. With GOATED_KILLS, each call is tried.
func stride() int {
	if os.Getenv("GOATED_KILLS") != "" {
		return 1
	}
	return 15
}

// F43: a process that is killed at any call that changes a file, from creating the database to the end
// of a turn, loses no acknowledged data. All other data is either complete or absent.
func TestKillAtEachCall(t *testing.T) {
	t.Parallel()
	needStrace(t)
	turns, n := 0, 1
	for ; ; n += stride() {
		path := filepath.Join(t.TempDir(), "history.db")
		acks, err := traced(t, path, changing, "signal=KILL", n)
		acked := make(map[string]ack)
		for _, a := range acks {
			acked[a.Turn] = a
		}
		found, wrong := verify(path, acked)
		if wrong != nil || found < len(acked) {
			t.Fatalf("killed at call %d: %d of %d acknowledged turns are there, %v", n, found, len(acked), wrong)
		}
		turns += len(acked)
		var exit *exec.ExitError
		if err == nil {
			break // no more calls
		} else if !errors.As(err, &exit) {
			t.Fatal(err)
		}
	}
	if n < 20 || turns == 0 {
		t.Errorf("only %d calls and %d acknowledged turns", n, turns)
	}
	t.Logf("killed at every %d. of %d calls: %d acknowledged turns, 0 lost, 0 damaged", stride(), n-1, turns)
}

// F45: a failed sync is never taken for a successful one. Acknowledged data is there, waiting data is
// written again, and the next start checks the file.
func TestFailingSync(t *testing.T) {
	t.Parallel()
	needStrace(t)
	waited, n := 0, 1
	for ; ; n += min(stride(), 3) {
		path := filepath.Join(t.TempDir(), "history.db")
		acks, err := traced(t, path, "fsync,fdatasync", "error=EIO", n)
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && len(acks) == 0: // Open failed and reported that
		case err != nil:
			t.Fatalf("sync %d: %v", n, err)
		}
		acked := make(map[string]ack)
		failed := false
		for _, a := range acks {
			failed = failed || a.Waited
			acked[a.Turn] = a
		}
		if failed {
			waited++
			if _, err := os.Stat(path + ".damaged"); err != nil {
				t.Errorf("sync %d: the next start will not check the file: %v", n, err)
			}
		}
		found, wrong := verify(path, acked)
		if wrong != nil || found < len(acked) {
			t.Fatalf("sync %d failed: %d of %d acknowledged turns are there, %v", n, found, len(acked), wrong)
		}
		if len(acks) > 0 && !failed && n > 12 {
			break // no more syncs
		}
	}
	if waited == 0 {
		t.Error("no sync failed while the turn was recorded")
	}
	t.Logf("a failure at each of %d syncs: %d reported to the caller, 0 turns lost", n-1, waited)
}

// If the disk is full at one write and has space at the next, the turn is complete in the end, and each
// method whose data waited reported that.
func TestNoSpaceAtEachWrite(t *testing.T) {
	t.Parallel()
	needStrace(t)
	const writes = "pwrite64,ftruncate,fallocate"
	waited, calm, n := 0, 0, 1
	for ; ; n += stride()/2 + 1 {
		path := filepath.Join(t.TempDir(), "history.db")
		acks, err := traced(t, path, writes, "error=ENOSPC", n)
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && len(acks) == 0: // Open failed and reported that
		case err != nil:
			t.Fatalf("write %d: %v", n, err)
		}
		acked := make(map[string]ack)
		failed := false
		for _, a := range acks {
			failed = failed || a.Waited
			acked[a.Turn] = a
		}
		if calm++; failed {
			waited++
			calm = 0
		}
		found, wrong := verify(path, acked)
		if wrong != nil || found < len(acked) {
			t.Fatalf("no space at write %d: %d of %d acknowledged turns are there, %v", n, found, len(acked), wrong)
		}
		if waited > 0 && calm > 5 {
			break // no more writes
		}
		if n > 2000 {
			t.Fatal("the writes never end")
		}
	}
	if waited == 0 {
		t.Error("no write failed while the turn was recorded")
	}
	t.Logf("no space at each of %d writes: %d reported to the caller, 0 turns lost", n-1, waited)
}
