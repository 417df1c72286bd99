package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui"
)

// A press beside the sheet threw the pasted text away.
func TestAPressBesideKeepsThePastedText(t *testing.T) {
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "npx -y x-mcp")
	beside := fyne.NewPos(5, 400)
	d.PressAt(beside, 0)
	if !d.connecting() || d.Field(scriptField) != "npx -y x-mcp" {
		t.Fatalf("the text is gone: %q", d.Texts())
	}
	d.Enter(scriptField, "")
	d.PressAt(beside, 0)
	if d.connecting() {
		t.Error("an empty sheet stays open")
	}
	d.openConnect()
	d.Enter(scriptField, "npx -y x-mcp")
	d.Key(fyne.KeyEscape)
	if d.connecting() {
		t.Error("Escape does not close the sheet")
	}
}
