package store

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A backup is private from its first byte, and not only after its check, which can take long.
func TestBackupIsPrivateWhileItIsMade(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	dir := t.TempDir()
	s, err := Open(t.Context(), filepath.Join(dir, "history.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db, err := s.base.ready(t.Context(), "copying")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "copy")
	if err := copyDatabase(t.Context(), db.sql, path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has the mode %v, %v", info.Mode(), err)
	}
}
