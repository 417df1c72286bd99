package store_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"goated/internal/store"
)

// Property 7: purging a conversation removes everything that belongs to it, even from the file, and
// nothing else.
func TestCascade(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := reopen(t, nil, path)
	kept := create(t, s)
	turn(t, s, kept.ID, "", "a question that stays", "stays")
	rapid.Check(t, func(t *rapid.T) {
		before := export(t, s)
		c := create(t, s)
		parent := ""
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			id := turn(t, s, c.ID, parent, "a secretive ŴŶŴ question", "a secretive answer")
			if rapid.Bool().Draw(t, "follows") {
				parent = id
			}
		}
		if err := s.Delete(context.Background(), c.ID); err != nil {
			t.Fatal(err)
		}
		if got := export(t, s); got != before {
			t.Fatalf("%s\ninstead of\n%s", got, before)
		}
		if err := s.Purge(context.Background(), distant()); err != nil {
			t.Fatal(err)
		}
		if err := s.Undelete(context.Background(), c.ID); !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
		if n := rows(t, path, "turn") + rows(t, path, "said"); n != 2 {
			t.Fatalf("%d rows are left", n)
		}
		if got := export(t, s); got != before {
			t.Fatalf("%s\ninstead of\n%s", got, before)
		}
	})
	s = reopen(t, s, path)
	for _, trace := range []string{"secretive", "SECRETIVE", "ŴŶŴ"} { // the last one as a trigram of the index
		if bytes.Contains(read(t, path), []byte(trace)) {
			t.Errorf("the file still has %q after the purge", trace)
		}
	}
}

// Conversations can be deleted even if they are deeper than SQLite's limit of 1,000 nested cascades.
func TestDeepTree(t *testing.T) {
	t.Parallel()
	turns := 3000
	if testing.Short() {
		turns = 1200
	}
	path := filepath.Join(t.TempDir(), "history.db")
	s := open(t, path)
	c := fill(t, s, 2*turns)
	th := thread(t, s, c.ID)
	if len(th.Turns) != turns {
		t.Fatalf("%d turns", len(th.Turns))
	}
	if err := s.DeleteTurn(t.Context(), th.Turns[1].ID); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, s, c.ID); len(got.Turns) != 1 || got.Conversation.Active != th.Turns[0].ID {
		t.Fatalf("%d turns", len(got.Turns))
	}
	if err := s.UndeleteTurn(t.Context(), th.Turns[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Delete(t.Context(), c.ID), s.Purge(t.Context(), distant())); err != nil {
		t.Fatal(err)
	}
	if n := rows(t, path, "turn"); n != 0 {
		t.Errorf("%d turns are left", n)
	}
}
