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

// changing are the system calls by which files change.
const changing = "write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat"

// traced lets a child send one message under strace, which does something at the
// n-th call of some kind. The calls are those of one thread; see child.
func traced(t *testing.T, path, calls, what string, n int) ([]ack, error) {
	t.Helper()
	cmd := start("send", path)
	cmd.Args = append([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + calls,
		"-e", fmt.Sprintf("inject=%s:%s:when=%d", calls, what, n)}, cmd.Args...)
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

// stride is how many calls a sweep goes on by: with GOATED_KILLS all are tried.
func stride() int {
	if os.Getenv("GOATED_KILLS") != "" {
		return 1
	}
	return 5
}

// F43: killed at each call that changes a file, from the making of the history to the
// end of a turn: what was acknowledged is there, and the rest whole or absent.
func TestKillAtEachCall(t *testing.T) {
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
			break // there are no more calls
		} else if !errors.As(err, &exit) {
			t.Fatal(err)
		}
	}
	if n < 20 || turns == 0 {
		t.Errorf("there were only %d calls, and %d turns acknowledged", n, turns)
	}
	t.Logf("killed at every %d. of %d calls: %d acknowledged turns, 0 lost, 0 damaged", stride(), n-1, turns)
}

// F45: a sync that fails is never taken for one that did not: nothing is acknowledged
// that is not there, what waits is written again, and the file is checked when it
// is next opened.
func TestFailingSync(t *testing.T) {
	needStrace(t)
	held, n := 0, 1
	for ; ; n += stride()/2 + 1 {
		path := filepath.Join(t.TempDir(), "history.db")
		acks, err := traced(t, path, "fsync,fdatasync", "error=EIO", n)
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && len(acks) == 0: // it could not be opened, and said so
		case err != nil:
			t.Fatalf("sync %d: %v", n, err)
		}
		acked := make(map[string]ack)
		failed := false
		for _, a := range acks {
			failed = failed || a.Held
			acked[a.Turn] = a
		}
		if failed {
			held++
			if _, err := os.Stat(path + ".damaged"); err != nil {
				t.Errorf("sync %d: the next start will not check the file: %v", n, err)
			}
		}
		found, wrong := verify(path, acked)
		if wrong != nil || found < len(acked) {
			t.Fatalf("sync %d failed: %d of %d acknowledged turns are there, %v", n, found, len(acked), wrong)
		}
		if len(acks) > 0 && !failed && n > 12 {
			break // there are no more syncs
		}
	}
	if held == 0 {
		t.Error("no failure was noticed")
	}
	t.Logf("a failure at each of %d syncs: %d were told to the sender, 0 turns lost", n-1, held)
}

// A disk that is full at any one write, and has room again at the next: what was
// said is there in the end, whole, and each message that had to wait was told so.
func TestNoSpaceAtEachWrite(t *testing.T) {
	needStrace(t)
	const writes = "pwrite64,ftruncate,fallocate"
	held, calm, n := 0, 0, 1
	for ; ; n += stride()/2 + 1 {
		path := filepath.Join(t.TempDir(), "history.db")
		acks, err := traced(t, path, writes, "error=ENOSPC", n)
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && len(acks) == 0: // it could not be opened, and said so
		case err != nil:
			t.Fatalf("write %d: %v", n, err)
		}
		acked := make(map[string]ack)
		failed := false
		for _, a := range acks {
			failed = failed || a.Held
			acked[a.Turn] = a
		}
		if calm++; failed {
			held++
			calm = 0
		}
		found, wrong := verify(path, acked)
		if wrong != nil || found < len(acked) {
			t.Fatalf("write %d found no room: %d of %d acknowledged turns are there, %v", n, found, len(acked), wrong)
		}
		if held > 0 && calm > 5 {
			break // there are no more writes
		}
		if n > 2000 {
			t.Fatal("there is no end of the writes")
		}
	}
	if held == 0 {
		t.Error("no failure was noticed")
	}
	t.Logf("no room at each of %d writes: %d were told to the sender, 0 turns lost", n-1, held)
}
