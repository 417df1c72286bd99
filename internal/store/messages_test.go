package store_test

import (
	"path/filepath"
	"testing"
)

// Messages counts the active branch. A retry has no message, and another version of a message replaces
// the first one.
func TestMessagesCountsTheShownBranch(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c, empty, gone := create(t, s), create(t, s), create(t, s)
	first := begin(t, s, c.ID, "", "one")
	end := begin(t, s, c.ID, first.ID, "two")
	retry, err := s.Begin(t.Context(), c.ID, end.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	begin(t, s, c.ID, retry.ID, "three")
	begin(t, s, gone.ID, "", "deleted")
	if err := s.Delete(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	counts, err := s.Messages(t.Context())
	if err != nil || len(counts) != 1 || counts[c.ID] != 3 || counts[empty.ID] != 0 {
		t.Fatalf("%v, %v", counts, err)
	}
	begin(t, s, c.ID, first.ID, "another two")
	if counts, err = s.Messages(t.Context()); err != nil || counts[c.ID] != 2 {
		t.Errorf("after another version: %v, %v", counts, err)
	}
}
