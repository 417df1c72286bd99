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

// plant writes a file where the database is to be.
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

// A file that is no database of goated's is kept under another name.
func TestSetAside(t *testing.T) {
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
			aside := glob(t, path+".corrupt-*")
			if len(aside) != 1 || s.Warning() == nil || !strings.Contains(s.Warning().Error(), aside[0]) {
				t.Fatal(aside, s.Warning())
			}
			if got := read(t, aside[0]); string(got) != data {
				t.Fatalf("it was changed: %q", got)
			}
			turn(t, s, create(t, s).ID, "", "a", "b")
		})
	}
}

// What was begun to be set aside by a process that came to no more is, and told;
// so is what was, if the new database could not be made then.
func TestSettingAsideIsResumed(t *testing.T) {
	for name, moved := range map[string][]string{"begun": {"-wal"}, "done": {"-wal", ""}} {
		t.Run(name, func(t *testing.T) {
			path := plant(t, "what is no good")
			aside := path + ".corrupt-1"
			for file, data := range map[string]string{path + "-wal": "its log", path + ".damaged": filepath.Base(aside) + "\n"} {
				if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, companion := range moved {
				if err := os.Rename(path+companion, aside+companion); err != nil {
					t.Fatal(err)
				}
			}
			s, err := store.Open(t.Context(), path)
			if err != nil || s.Warning() == nil || !strings.Contains(s.Warning().Error(), aside) {
				t.Fatalf("%+v, %v", s, err)
			}
			turn(t, s, create(t, s).ID, "", "a", "b")
			if string(read(t, aside)) != "what is no good" || string(read(t, aside+"-wal")) != "its log" {
				t.Error("it is not what it was")
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if again := open(t, path); len(list(t, again)) != 1 { // and that it is not told twice
				t.Error("what was said since is gone")
			}
		})
	}
}

// So is another program's database, whole.
func TestSetAsideForeign(t *testing.T) {
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

// Damage that is found while the program runs is seen by the next Open, though
// the first pages of the file are good.
func TestSetAsideDamaged(t *testing.T) {
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
			t.Fatal("it was not set aside", err)
		}
	}
	defer s.Close()
	if got := glob(t, path+".damaged"); len(got) != 0 || len(list(t, s)) != 0 {
		t.Fatal(got)
	}
}

// What a newer goated has written is left alone.
func TestNewer(t *testing.T) {
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

// A folder that is none, and one that can't be made.
func TestNoFolder(t *testing.T) {
	for _, path := range []string{filepath.Join(plant(t, "a file"), "history.db"), t.TempDir()} {
		_, err := store.Open(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), "opening "+path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Two processes may work in one database.
func TestTwoProcesses(t *testing.T) {
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

// Of two that find a bad file at once, one sets it aside, and neither the other's
// new one.
func TestSetAsideOnce(t *testing.T) {
	path := plant(t, strings.Repeat("no database ", 100))
	var children []*exec.Cmd
	for range 4 {
		cmd := start("tolerate", path)
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
