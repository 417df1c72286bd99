package ui

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"goated/internal/store"
)

// Drafts that can't be kept are told once and tried again.
func TestKeeperTriesAgain(t *testing.T) {
	s, path := archive(t)
	kept, err := s.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TRIGGER no BEFORE UPDATE OF draft ON conversation BEGIN SELECT raise(ABORT, 'no room'); END`); err != nil {
		t.Fatal(err)
	}
	var told []error
	k := newKeeper(s, nil, func(err error) { told = append(told, err) })
	c := remembered(kept)
	for _, text := range []string{"one", "one and two"} {
		k.draft(c, text)
		k.place(c, "at "+text)
		k.Flush(t.Context())
	}
	if len(told) != 1 || !strings.Contains(told[0].Error(), "no room") {
		t.Errorf("told %v", told)
	}
	if _, err := db.Exec(`DROP TRIGGER no`); err != nil {
		t.Fatal(err)
	}
	k.Flush(t.Context()) // as in the end
	list, err := s.Conversations(t.Context())
	if err != nil || list[0].Draft != "one and two" || list[0].Place != "at one and two" {
		t.Errorf("%+v, %v", list, err)
	}
}

// A window that is closed while another goated holds the history does not wait for
// it: neither with a draft nor with a turn that is to be kept.
func TestClosingWhileTheHistoryIsHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	lock := flock.New(path + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	s := store.Start(t.Context(), path)
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	d.send("hello")
	d.composer.input.SetText("a draft")
	began := time.Now()
	d.Close()
	if took := time.Since(began); took > keepLeave+5*time.Second {
		t.Errorf("closing took %v", took)
	}
}

// What was sent is kept, however soon the window is closed: also a first message,
// and while another goated holds the history.
func TestClosingRightAfterSending(t *testing.T) {
	for round := range 8 { // the turn's goroutine may come to more, or to less
		held := round == 0
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "history.db")
			lock := flock.New(path + ".lock")
			if held {
				if err := lock.Lock(); err != nil {
					t.Fatal(err)
				}
			}
			defer lock.Close()
			s := store.Start(t.Context(), path)
			d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
			d.show()
			d.send("a last word")
			d.Close()
			closed := s.Close()
			if held == (closed == nil) {
				t.Errorf("it says %v", closed)
			}
			if err := lock.Unlock(); err != nil {
				t.Fatal(err)
			}
			again, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if list, err := again.Conversations(t.Context()); err != nil || len(list) != 1 || list[0].Title != "a last word" {
				t.Errorf("kept are %+v, %v", list, err)
			}
		})
	}
}

// Nor for another process that keeps the database locked while it is open here:
// what was said is not lost, and is there at the next start.
func TestClosingWhileTheDatabaseIsLocked(t *testing.T) {
	s, path := archive(t)
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	d.send("before")
	d.until("the turn is kept", func() bool { return d.idle() && len(d.conversation().thread.turns) == 1 })
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	lock, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := lock.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	d.send("a question for which there is no room")
	d.until("it is on its way", func() bool { return !d.idle() })
	d.composer.input.SetText("a draft")
	began := time.Now()
	d.Close()
	closed := s.Close()
	if took := time.Since(began); took > 5*time.Second { // three, of a machine that is not busy
		t.Errorf("closing took %v", took)
	}
	if closed == nil || !strings.Contains(closed.Error(), "read when goated starts again") {
		t.Errorf("it says %v", closed)
	}
	if _, err := lock.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	list, err := again.Conversations(t.Context())
	if err != nil || len(list) != 2 || again.Warning() == nil {
		t.Fatalf("%+v, %v, warning %v", list, err, again.Warning())
	}
	kept := ""
	for _, c := range list {
		kept += c.Title + "; "
	}
	if !strings.Contains(kept, "no room") {
		t.Errorf("kept are %s", kept)
	}
}
