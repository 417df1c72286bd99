package transcript

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// The field for a long message immediately shows all of its text, with the cursor at the end.
func TestEditBeginsAtTheEnd(t *testing.T) {
	d := newDesk(t)
	text := strings.Repeat("a long first paragraph that breaks ", 6) + "\n\n" + strings.Repeat("and a second one ", 12) + "end"
	d.show(view.Chat{}.Say(text), false)
	d.page.Edit(0, Editing{Text: text})
	d.page.FocusEdit()
	before := d.page.Edited().Size()
	d.Type(".")
	if got := d.page.Edited().Text; got != text+"." {
		t.Errorf("typing changes the message to %q", got)
	}
	if after := d.page.Edited().Size(); before.Height < 120 || after != before {
		t.Errorf("the field has the size %v, and %v after a key", before, after)
	}
	d.Key(fyne.KeyEscape)
	if d.page.Edited() != nil {
		t.Error("Escape does not restore the message")
	}
}
