package store

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"
)

// Who only reads waits for another process as who writes does, though its
// transaction takes its lock late. In WAL a reader is rarely locked out: here by one
// that has the file for itself alone.
func TestReadingWaits(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Create(ctx); err != nil {
		t.Fatal(err)
	}
	// Without WAL a reader has the file only while it reads.
	s.base.db.sql.SetMaxOpenConns(1)
	var mode string
	if err := s.base.db.sql.QueryRow(`PRAGMA journal_mode = delete`).Scan(&mode); err != nil || mode != "delete" {
		t.Fatal(mode, err)
	}
	other, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec(`BEGIN EXCLUSIVE`); err != nil {
		t.Fatal(err)
	}
	left := make(chan error, 1)
	time.AfterFunc(500*time.Millisecond, func() {
		_, err := other.Exec(`ROLLBACK`)
		left <- err
	})
	if all, err := s.Conversations(ctx); err != nil || len(all) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if err := <-left; err != nil {
		t.Fatal(err)
	}
}
