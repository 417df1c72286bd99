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

// damaged returns a function that writes a damaged database to a new folder. Most of its pages are
// destroyed. The log that the last process left contains an acknowledged turn. With a mark, the next
// Open checks the database.
func damaged(t *testing.T) (put func(mark bool) (path string)) {
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
		t.Fatal("the turn is not in the log")
	}
	return func(mark bool) string {
		path := filepath.Join(t.TempDir(), "history.db")
		if err := errors.Join(os.WriteFile(path, data, 0o600), os.WriteFile(path+"-wal", wal, 0o600)); err != nil {
			t.Fatal(err)
		}
		if mark {
			if err := os.WriteFile(path+".damaged", nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
}

// Nobody waits for the check of a database that a killed process left. Damage that it finds is
// reported, and the next Open quarantines the database. If Close interrupts a check, the check is
// repeated.
func TestCheckInTheBackground(t *testing.T) {
	t.Parallel()
	path := damaged(t)(false)
	s, err := store.Open(t.Context(), path)
	if err != nil || s.Warning() != nil {
		t.Fatal(err, s.Warning())
	}
	if err := s.WaitForCheck(t.Context()); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("the check found %v", err)
	}
	_ = s.Close() // may report that the file is damaged
	if s, err = store.Open(t.Context(), path); err != nil || s.Warning() == nil || !strings.Contains(s.Warning().Error(), "kept it as") {
		t.Fatalf("%v, warning %v", err, s.Warning())
	}
	if err := errors.Join(s.WaitForCheck(t.Context()), s.Close()); err != nil {
		t.Error(err)
	}

	good := filepath.Join(t.TempDir(), "history.db")
	s = reopen(t, nil, good)
	fill(t, s, 2000)
	data, wal := read(t, good), read(t, good+"-wal")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(good, data, 0o600), os.WriteFile(good+"-wal", wal, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, wait := range []bool{false, true, true} {
		s = reopen(t, nil, good)
		if wait {
			if err := s.WaitForCheck(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if left := glob(t, good+".unchecked"); wait && len(left) != 0 {
			t.Errorf("%q is left after a check", left)
		}
	}
}

// A process can be killed at any moment while it quarantines a damaged database. The quarantined file
// is complete even then, and this start or the next one reports its name.
func TestKilledDuringQuarantine(t *testing.T) {
	t.Parallel()
	needStrace(t)
	put := damaged(t)
	for _, sweep := range []struct {
		calls  string
		stride int
	}{{"rename,renameat,renameat2", 1}, {"fsync,fdatasync,pwrite64,ftruncate", stride()}} {
		n := 1
		for ; ; n += sweep.stride {
			path := put(true)
			cmd := start("open", path) // prints the warning and ends
			cmd.Args = append([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + sweep.calls,
				"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", sweep.calls, n)}, cmd.Args...)
			cmd.Path, cmd.Err = exec.LookPath("strace")
			if cmd.Run() == nil {
				t.Fatal("the database is not damaged")
			}
			warning := cmd.Stderr.(*bytes.Buffer).String()
			last := strings.Contains(warning, "kept it as")
			if !last {
				s, err := store.Open(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				warning = fmt.Sprint(s.Warning())
				turn(t, s, create(t, s).ID, "", "a", "b")
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			var kept []string
			for _, file := range glob(t, path+".corrupt-*") {
				if !strings.HasSuffix(file, "-wal") && !strings.HasSuffix(file, "-shm") {
					kept = append(kept, file)
				}
			}
			if len(kept) != 1 || !strings.Contains(warning, kept[0]) {
				t.Fatalf("killed at call %d of %s: quarantined files %q, warning %q", n, sweep.calls, kept, warning)
			}
			all := read(t, kept[0])
			if wal, err := os.ReadFile(kept[0] + "-wal"); err == nil {
				all = append(all, wal...)
			}
			if !bytes.Contains(all, []byte(acknowledged)) {
				t.Fatalf("killed at call %d of %s: the acknowledged turn is not in %s", n, sweep.calls, kept[0])
			}
			if left := glob(t, path+".damaged"); len(left) != 0 {
				t.Errorf("killed at call %d of %s: %q is left", n, sweep.calls, left)
			}
			if last {
				break
			}
		}
		if n < 3 {
			t.Errorf("only %d calls of %s", n, sweep.calls)
		}
		t.Logf("killed at every %d. of %d calls of %s: quarantined completely, with a warning", sweep.stride, n-1, sweep.calls)
	}
}
