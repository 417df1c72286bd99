package ui

import (
	"database/sql"
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
		k.flush(t.Context())
	}
	if len(told) != 1 || !strings.Contains(told[0].Error(), "no room") {
		t.Errorf("told %v", told)
	}
	if _, err := db.Exec(`DROP TRIGGER no`); err != nil {
		t.Fatal(err)
	}
	k.flush(t.Context()) // as in the end
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
