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

// An action of the application may be named focus, too. It does not shift the others.
func TestAnActionNamedFocus(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("actions")
	f.items[2].Actions = []string{"focus", "click"}
	f.items[2].States |= 1 << atspi.StateFocusable
	snap, err := b.Snapshot(t.Context(), serve(t, b, f.App))
	if err != nil {
		t.Fatal(err)
	}
	_, send := one(t, b, snap, "Send")
	if list, err := b.Actions(t.Context(), send); err != nil || len(list) != 2 {
		t.Errorf("%q, %v", list, err)
	}
	if _, err := b.Act(t.Context(), send, atspi.Expect{}, "press"); err != nil || f.pressed() != 1 {
		t.Errorf("%v, pressed %d times", err, f.pressed())
	}
}
