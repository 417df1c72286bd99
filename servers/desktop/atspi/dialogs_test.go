package atspi_test

import (
	"errors"
	"strings"
	"testing"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
	"goated/servers/desktop/element"
)

// A dialog asks a question in a second dialog, which has no title on the display. Only the first dialog
// is blocked. Earlier either both were blocked, or only the question was.
func TestAQuestionOfADialog(t *testing.T) {
	b := connect(t, atspi.Options{})
	f := newForm("a dialog with a question")
	f.items[0].Children = []int{1, 7}
	f.items[1].States |= modal
	f.items[7] = &atspitest.Item{Role: dialog, Name: "Question", States: atspitest.Shown | modal, Children: []int{8}, Interfaces: []string{"Component"}, Bounds: [4]int32{10, 10, 90, 40}}
	f.items[8] = &atspitest.Item{Role: button, Name: "Replace", Parent: 7, States: atspitest.Shown, Interfaces: []string{"Component", "Action"}, Bounds: [4]int32{20, 20, 40, 20}}
	snap, err := b.Snapshot(t.Context(), serve(t, b, f.App))
	if err != nil {
		t.Fatal(err)
	}
	_, send := one(t, b, snap, "Send")
	_, replace := one(t, b, snap, "Replace")
	locked := func(target atspi.Target) bool {
		t.Helper()
		_, err := b.Act(t.Context(), target, atspi.Expect{}, "press")
		var cover *atspi.CoveredError
		if err != nil && !errors.As(err, &cover) {
			t.Error(err)
		}
		return err != nil && strings.Contains(cover.By, "dialog")
	}
	if locked(replace) || !locked(send) {
		t.Errorf("the question is locked: %t; the dialog: %t", locked(replace), locked(send))
	}
	f.Lock(func() { f.items[1].States |= 1 << atspi.StateActive }) // it opened first, and is active
	if !locked(replace) || locked(send) {
		t.Errorf("behind, the question is locked: %t; the dialog: %t", locked(replace), locked(send))
	}
	if n, _ := snap.Window(t.Context(), "", element.Rect{X: 10, Y: 10, Width: 90, Height: 40}); n == 0 || snap.Nodes[n].Name != "Question" {
		t.Errorf("the window of the question is node %d", n)
	}
}
