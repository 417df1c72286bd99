package chats_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/store"
	"goated/ui/chats"
)

// If drafts cannot be saved, the error is reported once, and saving is retried.
func TestDraftsAreTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
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
	var reported []error
	k := chats.NewDraftSaver(s, nil, func(err error) { reported = append(reported, err) })
	c := chats.Remembered(kept)
	for _, text := range []string{"one", "one and two"} {
		k.Draft(c, text, nil)
		k.Place(c, "at "+text)
		k.Flush(t.Context())
	}
	if len(reported) != 1 || !strings.Contains(reported[0].Error(), "no room") {
		t.Errorf("reported %v", reported)
	}
	if _, err := db.Exec(`DROP TRIGGER no`); err != nil {
		t.Fatal(err)
	}
	k.Flush(t.Context()) // Close does the same
	list, err := s.Conversations(t.Context())
	if err != nil || list[0].Draft != "one and two" || list[0].Place != "at one and two" {
		t.Errorf("%+v, %v", list, err)
	}
}
