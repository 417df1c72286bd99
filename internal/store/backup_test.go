package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/store"
)

// filled creates a history of several conversations, and returns its path.
func filled(t *testing.T, conversations int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range conversations {
		if _, err := s.Import(t.Context(), generate(20), nil); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func count(t *testing.T, s *store.Store) int {
	t.Helper()
	all, err := s.Conversations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// A backup is made once a day and contains the whole history. It restores a history that was emptied.
// The next start reports an emptied history.
func TestBackupAfterAnEmptiedFile(t *testing.T) {
	t.Parallel()
	path := filled(t, 3)
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	backup, err := s.Backup(t.Context())
	if err != nil || backup == "" {
		t.Fatal(backup, err)
	}
	if again, err := s.Backup(t.Context()); err != nil || again != "" {
		t.Errorf("a second backup of the day: %q, %v", again, err)
	}
	if _, err := store.Restore(t.Context(), path, backup); err == nil {
		t.Error("a history in use was replaced")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	s, err = store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if w := s.Warning(); w == nil || !strings.Contains(w.Error(), "0 bytes") || !strings.Contains(w.Error(), backup) || !strings.Contains(w.Error(), "goated history restore") {
		t.Errorf("the warning is %v", w)
	}
	if path, err := s.Backup(t.Context()); path != "" || err != nil {
		t.Errorf("the empty history was backed up: %q, %v", path, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := store.Restore(t.Context(), path, backup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	if n := count(t, open(t, path)); n != 3 {
		t.Errorf("%d conversations are back", n)
	}
}

// An SQLite log beside an emptied file does not hide that the conversations are gone. A kill leaves the
// log, and SQLite deletes it.
func TestEmptiedFileBesideALog(t *testing.T) {
	t.Parallel()
	path := filled(t, 1)
	s := open(t, path)
	if _, err := s.Import(t.Context(), generate(5), nil); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatal("there is no log", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Truncate(path, 0), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if w := again.Warning(); count(t, again) == 0 && (w == nil || !strings.Contains(w.Error(), "0 bytes")) {
		t.Errorf("the warning is %v", w)
	}
}

// Seven backups are kept. A damaged backup is not restored.
func TestBackupsAreFew(t *testing.T) {
	t.Parallel()
	path := filled(t, 1)
	for day := range 9 {
		if err := os.WriteFile(fmt.Sprintf("%s.backup-202001%02d", path, day+1), []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, path)
	backup, err := s.Backup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := store.Backups(path)
	if len(all) != store.MaxBackups || all[len(all)-1] != backup || !strings.HasSuffix(all[0], "20200104") {
		t.Errorf("the backups are %v", all)
	}
	if _, err := store.Restore(context.Background(), path, all[0]); err == nil {
		t.Error("a damaged backup was restored")
	}
}

// A file that is no history is not restored. SQLite finds no fault in an empty file, so it replaced
// the history.
func TestOnlyAHistoryIsRestored(t *testing.T) {
	t.Parallel()
	path := filled(t, 1)
	empty := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(t.Context(), path, empty); err == nil || !strings.Contains(err.Error(), "not a database of goated") {
		t.Errorf("an empty file was restored: %v", err)
	}
	if n := count(t, open(t, path)); n != 1 {
		t.Errorf("%d conversations are left", n)
	}
}

// If a page is damaged, everything that can be read comes back.
func TestDamagedPageIsSalvaged(t *testing.T) {
	t.Parallel()
	const page = 4096
	path := filled(t, 12)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for _, at := range []int{len(whole) / page / 3, len(whole) / page / 2, len(whole) / page * 2 / 3} {
		damaged := filepath.Join(t.TempDir(), "history.db")
		data := append([]byte(nil), whole...)
		for i := range page {
			data[at*page+i] = 0xa5
		}
		if err := os.WriteFile(damaged, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(damaged+".damaged", nil, 0o600); err != nil { // the next Open checks it
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), damaged)
		if err != nil {
			t.Fatal(err)
		}
		n := count(t, s)
		best = max(best, n)
		t.Logf("page %d: %d of 12 conversations, %v", at, n, s.Warning())
		if w := s.Warning(); w == nil || n > 0 && !strings.Contains(w.Error(), "are back") {
			t.Errorf("page %d: the warning is %v", at, w)
		}
		if n < 9 {
			t.Errorf("page %d: only %d of 12 conversations are back", at, n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
