package store_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/store"
)

// Open migrates a file of the first version with all of its data. The test data contains the tables as
// that version created them.
func TestMigrate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(string(read(t, filepath.Join("testdata", "version1.sql"))))
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, nil, path)
	all := list(t, s)
	if len(all) != 1 || all[0].Title != "the tide" || all[0].Draft != "and to" || !all[0].Pinned || all[0].Place != "" {
		t.Fatalf("%+v", all)
	}
	th := thread(t, s, all[0].ID)
	if got := messages(th); len(got) != 2 || got[1] != "High at noon." || len(th.History()) != 2 {
		t.Fatalf("%q, %d contents", got, len(th.History()))
	}
	if hits := search(t, s, "noon"); len(hits) != 1 || hits[0].Turn != th.Turns[0].ID || !hits[0].When.Equal(th.Turns[0].Started) {
		t.Fatalf("%+v", hits)
	}
	// Features of the second version work.
	ctx := t.Context()
	if err := errors.Join(s.SetReadingPosition(ctx, all[0].ID, "2 40"), s.DeleteTurn(ctx, th.Turns[0].ID)); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s, path)
	if c := conversation(t, s, all[0].ID); c.Place != "2 40" || c.Active != "" || len(search(t, s, "noon")) != 0 {
		t.Fatalf("%+v", c)
	}
	if err := s.UndeleteTurn(ctx, th.Turns[0].ID); err != nil || len(search(t, s, "noon")) != 1 {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil || integrity(t, path) != "ok" {
		t.Fatal(err)
	}
}

// A deleted turn is not exported, and purging removes it from the file.
func TestDeletedTurnIsPurged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := reopen(t, nil, path)
	c := create(t, s)
	first := turn(t, s, c.ID, "", "a question that stays", "stays")
	before := export(t, s)
	second := turn(t, s, c.ID, first, "a secretive question", "a secretive answer")
	turn(t, s, c.ID, second, "one more", "secretive too")
	if err := s.DeleteTurn(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, s, c.ID); got.Conversation.Active != first || len(got.Turns) != 1 || len(search(t, s, "secretive")) != 0 {
		t.Fatalf("%+v", got)
	}
	if got := export(t, s); strings.Count(got, `"started"`) != strings.Count(before, `"started"`) {
		t.Fatalf("%s\ninstead of\n%s", got, before)
	}
	if err := s.Purge(t.Context(), distant()); err != nil {
		t.Fatal(err)
	}
	if err := s.UndeleteTurn(t.Context(), second); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	if n := rows(t, path, "turn"); n != 1 {
		t.Fatalf("%d turns are left", n)
	}
	if err := s.Close(); err != nil || integrity(t, path) != "ok" {
		t.Fatal(err)
	}
}
