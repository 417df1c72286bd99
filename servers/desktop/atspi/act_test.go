package atspi_test

import (
	"errors"
	"testing"

	"goated/servers/desktop/atspi"
)

// Expanding a row that has nothing to expand does not click it: a click would open its file.
func TestExpandOpensNothing(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("rows to expand")
	f.items[2].Role = listItem
	snap, err := b.Snapshot(t.Context(), serve(t, b, f.App))
	if err != nil {
		t.Fatal(err)
	}
	_, row := one(t, b, snap, "Send")
	var refused *atspi.RefusedError
	if _, err := b.Act(t.Context(), row, atspi.Expect{}, "expand"); !errors.As(err, &refused) || f.pressed() > 0 {
		t.Errorf("a row without rows below it: %v, pressed %d times", err, f.pressed())
	}
	f.Lock(func() { f.items[2].States |= 1 << atspi.StateExpandable })
	if _, err := b.Act(t.Context(), row, atspi.Expect{}, "expand"); err != nil || f.pressed() != 1 {
		t.Errorf("a row with rows below it: %v, pressed %d times", err, f.pressed())
	}
	f.Lock(func() { f.items[2].States |= 1 << atspi.StateExpanded })
	if _, err := b.Act(t.Context(), row, atspi.Expect{}, "expand"); err != nil || f.pressed() != 1 {
		t.Errorf("an expanded row: %v, pressed %d times", err, f.pressed())
	}
}
