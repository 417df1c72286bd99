package store_test

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/store"
)

// plant writes a file at the path of the database.
func plant(tb testing.TB, data string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "history.db")
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		tb.Fatal(err)
	}
	return path
}

func glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// Open renames a file that is not a database of goated.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"text":      "These are my notes, and they are not to be lost.",
		"short":     "x",
		"truncated": "SQLite format 3\x00",
		"zeros":     strings.Repeat("\x00", 8192),
		"garbage":   "SQLite format 3\x00" + strings.Repeat("\xa7\x01", 9000),
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			path := plant(t, data)
			s, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			kept := glob(t, path+".corrupt-*")
			if len(kept) != 1 || s.Warning() == nil || !strings.Contains(s.Warning().Error(), kept[0]) {
				t.Fatal(kept, s.Warning())
			}
			if got := read(t, kept[0]); string(got) != data {
				t.Fatalf("the file was changed: %q", got)
			}
			turn(t, s, create(t, s).ID, "", "a", "b")
		})
	}
}

// Open completes a quarantine that a killed process began, and warns of it, even if that process only
// had to create the new database.
func TestQuarantineIsResumed(t *testing.T) {
	t.Parallel()
	for name, moved := range map[string][]string{"begun": {"-wal"}, "done": {"-wal", ""}} {
		t.Run(name, func(t *testing.T) {
			path := plant(t, "a damaged file")
			kept := path + ".corrupt-1"
			for file, data := range map[string]string{path + "-wal": "its log", path + ".damaged": filepath.Base(kept) + "\n"} {
				if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, companion := range moved {
				if err := os.Rename(path+companion, kept+companion); err != nil {
					t.Fatal(err)
				}
			}
			s, err := store.Open(t.Context(), path)
			if err != nil || s.Warning() == nil || !strings.Contains(s.Warning().Error(), kept) {
				t.Fatalf("%+v, %v", s, err)
			}
			turn(t, s, create(t, s).ID, "", "a", "b")
			if string(read(t, kept)) != "a damaged file" || string(read(t, kept+"-wal")) != "its log" {
				t.Error("the quarantined file was changed")
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if again := open(t, path); len(list(t, again)) != 1 { // without a second warning
				t.Error("the new conversation is lost")
			}
		})
	}
}

// Open renames the database of another program and does not change it.
func TestQuarantineForeignDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	execute(t, path, `CREATE TABLE mine (a); INSERT INTO mine VALUES (1)`)
	s, err := store.Open(t.Context(), path)
	if err != nil || s.Warning() == nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := rows(t, glob(t, path+".corrupt-*")[0], "mine"); n != 1 {
		t.Fatal(n)
	}
}

func execute(tb testing.TB, path, statement string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		tb.Fatal(err)
	}
}

// If a method finds damage, the next Open checks the file, although the first pages are good.
func TestQuarantineAfterDamageIsFound(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := reopen(t, nil, path)
	c := fill(t, s, 400)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data := read(t, path)
	for i := len(data) / 4; i < len(data); i++ {
		data[i] = 0xa7
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Warning() == nil {
		if _, err := s.Thread(t.Context(), c.ID); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Fatal(err)
		}
		_ = s.Close()
		if s, err = store.Open(t.Context(), path); err != nil || s.Warning() == nil {
			t.Fatal("the file was not renamed", err)
		}
	}
	defer s.Close()
	if got := glob(t, path+".damaged"); len(got) != 0 {
		t.Fatal(got)
	}
}

// Open does not touch the database of a newer version.
func TestNewerVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := reopen(t, nil, path)
	turn(t, s, create(t, s).ID, "", "a", "b")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	execute(t, path, `PRAGMA user_version = 99`)
	if _, err := store.Open(t.Context(), path); !errors.Is(err, store.ErrNewer) {
		t.Fatal(err)
	}
	if got := glob(t, path+".corrupt-*"); len(got) != 0 || rows(t, path, "turn") != 1 {
		t.Fatal(got)
	}
}

// The folder is a file, or the database is a folder, as Docker makes one for a file to mount that is
// missing. The folder stays as it is.
func TestUnusablePath(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	was, err := os.Stat(folder)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(plant(t, "a file"), "history.db"): "", folder: "it is a folder"} {
		_, err := store.Open(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), "opening "+path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if is, err := os.Stat(folder); err != nil || is.Mode() != was.Mode() {
		t.Errorf("the folder no longer has mode %v: %v, %v", was.Mode(), is, err)
	}
}

// Two processes can use one database at the same time.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	var children []*exec.Cmd
	for range 2 {
		cmd := start("converse", path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, cmd.Stderr)
		}
	}
	s := open(t, path)
	all := list(t, s)
	if len(all) != 2*conversed {
		t.Fatalf("%d conversations", len(all))
	}
	for _, c := range all {
		if got := thread(t, s, c.ID); len(got.Turns) != 2 {
			t.Fatalf("%d turns", len(got.Turns))
		}
	}
}

// If several processes find a bad file at the same time, one of them renames it, and none renames the
// new file.
func TestQuarantineOnce(t *testing.T) {
	t.Parallel()
	path := plant(t, strings.Repeat("no database ", 100))
	var children []*exec.Cmd
	for range 4 {
		cmd := start("quarantine", path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, cmd.Stderr)
		}
	}
	if got := glob(t, path+".corrupt-*"); len(got) != 1 {
		t.Fatal(got)
	}
	if got := list(t, open(t, path)); len(got) != 4*conversed {
		t.Fatalf("%d conversations", len(got))
	}
}
