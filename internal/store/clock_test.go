package store

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// at opens a store with a clock that the test sets.
func at(t *testing.T, path string, now *time.Time) *Store {
	t.Helper()
	s, err := open(context.Background(), path, func() time.Time { return *now }, defaultTiming())
	if err != nil || s.Warning() != nil {
		t.Fatal(err, s.Warning())
	}
	return s
}

func addTurn(t *testing.T, s *Store, conversation, parent, text string) string {
	t.Helper()
	r, err := s.Begin(t.Context(), conversation, parent, words(text))
	if err == nil {
		err = r.End(t.Context(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

const year = 365 * 24 * time.Hour

// F48: the order of use does not depend on the clock.
func TestClockJumpsKeepOrderOfUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	now := time.Now()
	s := at(t, path, &now)
	var ids, turns []string
	oldest := ""
	for _, jump := range []time.Duration{0, -10 * year, 20 * year, -5 * year, 0, -time.Second} {
		now = now.Add(jump)
		c, err := s.Create(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if oldest == "" {
			oldest = c.ID
		} else {
			addTurn(t, s, c.ID, "", "hello")
			ids = append([]string{c.ID}, ids...)
		}
		parent := ""
		if len(turns) > 0 {
			parent = turns[len(turns)-1]
		}
		turns = append(turns, addTurn(t, s, oldest, parent, "again"))
		ids = append([]string{oldest}, slices.DeleteFunc(ids, func(id string) bool { return id == oldest })...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	now = now.Add(-10 * year)
	s = at(t, path, &now)
	defer s.Close()
	all, err := s.Conversations(t.Context())
	var got []string
	for _, c := range all {
		got = append(got, c.ID)
	}
	if err != nil || !slices.Equal(got, ids) {
		t.Errorf("conversations %v, %v, want %v", got, err, ids)
	}
	thread, err := s.Thread(t.Context(), ids[0])
	var order []string
	for _, turn := range thread.Turns {
		order = append(order, turn.ID)
	}
	if err != nil || !slices.Equal(order, turns) {
		t.Errorf("turns %v, %v, want %v", order, err, turns)
	}
}

// F48: a clock that jumps does not purge a recent deletion. Time that passes day by day does.
func TestClockJumpsKeepDeletions(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	now := time.Now()
	s := at(t, path, &now)
	c, err := s.Create(t.Context())
	if err == nil {
		addTurn(t, s, c.ID, "", "to be deleted")
		err = s.Delete(t.Context(), c.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	var stamp int64
	there := func(jump time.Duration) bool {
		t.Helper()
		now = now.Add(jump)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = at(t, path, &now)
		err := s.Undelete(t.Context(), c.ID)
		if err == nil {
			// Delete it again, at the original time.
			_, err = s.base.db.sql.Exec(`UPDATE conversation SET deleted = ? WHERE id = ?`, stamp, c.ID)
		}
		if err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	if err := s.base.db.sql.QueryRow(`SELECT deleted FROM conversation WHERE id = ?`, c.ID).Scan(&stamp); err != nil {
		t.Fatal(err)
	}
	for _, jump := range []time.Duration{10 * year, -10 * year, -10 * year, time.Minute, 10 * year} {
		if !there(jump) {
			t.Fatalf("a jump of %v purged it", jump)
		}
	}
	days := 0
	for there(24 * time.Hour) {
		if days++; days > 40 {
			t.Fatal("it is never purged")
		}
	}
	if days < 10 {
		t.Errorf("it was purged after %d days", days)
	}
	// Readings every few minutes also advance the time.
	seen := func() (seen int64) {
		t.Helper()
		if err := s.base.commit(t.Context(), "reading the clock", func(tx *sql.Tx) (err error) { seen, err = s.base.clock.observe(t.Context(), tx); return err }); err != nil {
			t.Fatal(err)
		}
		return seen
	}
	before := seen()
	for range 24 * 6 {
		now = now.Add(10 * time.Minute)
		seen()
	}
	if passed := time.Duration(seen() - before); passed != 24*time.Hour {
		t.Errorf("%v of a day counted", passed)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
