//go:build linux

package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/store"
)

const acknowledged = "acknowledged and still in the log"

// damaged puts a history into folders: of it the last process has left a log with
// an acknowledged turn, and most of its pages are no good.
func damaged(t *testing.T) (put func() (path string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s := reopen(t, nil, path)
	fill(t, s, 400)
	s = reopen(t, s, path)
	turn(t, s, create(t, s).ID, "", acknowledged, "yes")
	data, wal := read(t, path), read(t, path+"-wal")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for i := len(data) / 4; i < len(data); i++ {
		data[i] = 0xa7
	}
	if !bytes.Contains(wal, []byte(acknowledged)) {
		t.Fatal("it is not in the log")
	}
	return func() string {
		path := filepath.Join(t.TempDir(), "history.db")
		if err := errors.Join(os.WriteFile(path, data, 0o600), os.WriteFile(path+"-wal", wal, 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
}

// Who is killed while a damaged history is set aside leaves one that the next start
// sets aside, or has been: it is told where it is, whole.
func TestKilledWhileSettingAside(t *testing.T) {
	needStrace(t)
	put := damaged(t)
	for _, sweep := range []struct {
		calls  string
		stride int
	}{{"rename,renameat,renameat2", 1}, {"fsync,fdatasync,pwrite64,ftruncate", stride()}} {
		n := 1
		for ; ; n += sweep.stride {
			path := put()
			cmd := start("open", path) // which only says what it is told, and ends
			cmd.Args = append([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + sweep.calls,
				"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", sweep.calls, n)}, cmd.Args...)
			cmd.Path, cmd.Err = exec.LookPath("strace")
			if cmd.Run() == nil {
				t.Fatal("it is not damaged")
			}
			told := cmd.Stderr.(*bytes.Buffer).String()
			last := strings.Contains(told, "kept it as")
			if !last {
				s, err := store.Open(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				told = fmt.Sprint(s.Warning())
				turn(t, s, create(t, s).ID, "", "a", "b")
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			var aside []string
			for _, file := range glob(t, path+".corrupt-*") {
				if !strings.HasSuffix(file, "-wal") && !strings.HasSuffix(file, "-shm") {
					aside = append(aside, file)
				}
			}
			if len(aside) != 1 || !strings.Contains(told, aside[0]) {
				t.Fatalf("killed at call %d of %s: set aside are %q, and told is %q", n, sweep.calls, aside, told)
			}
			all := read(t, aside[0])
			if wal, err := os.ReadFile(aside[0] + "-wal"); err == nil {
				all = append(all, wal...)
			}
			if !bytes.Contains(all, []byte(acknowledged)) {
				t.Fatalf("killed at call %d of %s: what was acknowledged is not in %s", n, sweep.calls, aside[0])
			}
			if left := glob(t, path+".damaged"); len(left) != 0 {
				t.Errorf("killed at call %d of %s: left is %q", n, sweep.calls, left)
			}
			if last {
				break
			}
		}
		if n < 3 {
			t.Errorf("there were only %d calls of %s", n, sweep.calls)
		}
		t.Logf("killed at every %d. of %d calls of %s: set aside whole, and told", sweep.stride, n-1, sweep.calls)
	}
}
