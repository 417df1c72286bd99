package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"goated/internal/store"
)

// A turn keeps all of its siblings, however many there are, and the branch of each can be activated.
func TestThreeBranchesStay(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	root := turn(t, s, c.ID, "", "root", "yes")
	for _, parent := range []string{"", root} {
		siblings := []string{}
		if parent == "" {
			siblings = append(siblings, root)
		}
		for len(siblings) < 4 {
			siblings = append(siblings, turn(t, s, c.ID, parent, "again", "yes"))
		}
		for i, id := range siblings {
			if err := s.Activate(t.Context(), c.ID, id); err != nil {
				t.Fatal(err)
			}
			turns := thread(t, s, c.ID).Turns
			at := slices.IndexFunc(turns, func(other store.Turn) bool { return other.ID == id })
			if at < 0 || turns[at].Index != i || !slices.Equal(turns[at].Siblings, siblings) {
				t.Errorf("branch %d after %q: turns %+v, want siblings %q", i, parent, turns, siblings)
			}
		}
	}
}

// Undelete and UndeleteTurn restore only what they were asked for.
func TestUndeleteRestoresNothingElse(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	a, b, c := create(t, s), create(t, s), create(t, s)
	first := turn(t, s, a.ID, "", "first", "yes")
	second := turn(t, s, a.ID, first, "second", "yes")
	third := turn(t, s, a.ID, first, "third", "yes")
	foreign := turn(t, s, c.ID, "", "foreign", "yes")
	err := errors.Join(s.Delete(ctx, b.ID), s.DeleteTurn(ctx, second), s.DeleteTurn(ctx, third), s.DeleteTurn(ctx, foreign), s.Delete(ctx, a.ID))
	if err == nil {
		err = errors.Join(s.Undelete(ctx, a.ID), s.UndeleteTurn(ctx, third))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Thread(ctx, b.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the other deleted conversation: %v", err)
	}
	if turns := thread(t, s, a.ID).Turns; len(turns) != 2 || turns[1].ID != third || len(turns[1].Siblings) != 1 {
		t.Errorf("%+v", turns)
	}
	if turns := thread(t, s, c.ID).Turns; len(turns) != 0 {
		t.Errorf("the deleted turn of another conversation is back: %+v", turns)
	}
}
