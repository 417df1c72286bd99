package form

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/internal/pagetest"
)

// "Add" was active in a list that began with the most items, and stayed inactive after one of them
// was removed.
func TestAddIsActiveWhileItemsFit(t *testing.T) {
	d := pagetest.New(t, false, fyne.NewSize(600, 20_000))
	items := make([]any, maxItems)
	for i := range items {
		items[i] = "item"
	}
	f := NewEdit(d.Shell, map[string]any{"type": "object", "properties": map[string]any{
		"list": map[string]any{"type": "array", "items": map[string]any{"type": "string"}},
	}}, map[string]any{"list": items})
	d.Window.SetContent(f.Root)
	d.Window.Resize(fyne.NewSize(600, 20_000))
	if d.Pressable("Add") {
		t.Error("a full list accepts another item")
	}
	d.PressIcon("cross")
	if !d.Pressable("Add") {
		t.Error("a list with one item fewer accepts none")
	}
	d.Press("Add")
	if d.Pressable("Add") {
		t.Error("the list accepts more than the most items")
	}
}
