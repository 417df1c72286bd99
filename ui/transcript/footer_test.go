package transcript

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/view"
)

// The buttons of a message appear when the pointer enters it. The buttons of the last answer are
// always visible. A nil handler hides its button.
func TestMessagesCanBeActedOn(t *testing.T) {
	d := newDesk(t)
	chat := view.Chat{}.Say("the question").Apply(agent.TextDelta{Text: "Some **bold** words."}).Apply(agent.TurnEnded{Reason: agent.Done})
	var done []string
	note := func(what string) func(int) {
		return func(i int) { done = append(done, what+" "+string(rune('0'+i))) }
	}
	d.page.On.Edit, d.page.On.Regenerate, d.page.On.Delete = note("edit"), note("again"), note("delete")
	d.show(chat, false)
	if d.Icons("retry") != 1 || d.Icons("copy") != 1 || d.Icons("pencil") != 0 {
		t.Error("not just the last answer shows its buttons")
	}
	d.PressIcon("copy")
	if !strings.Contains(d.Copied, "**bold**") {
		t.Errorf("%q was copied, which is not Markdown", d.Copied)
	}
	d.PressIcon("retry")
	d.Hover("the question")
	if d.Icons("pencil") != 1 || d.Icons("copy") != 2 {
		t.Fatal("the message under the pointer shows no buttons")
	}
	d.PressIcon("copy")
	if d.Copied != "the question" {
		t.Errorf("%q was copied", d.Copied)
	}
	d.PressIcon("pencil")
	for i := range d.Icons("more") {
		d.PressIcon("more", i)
		if d.Layers() != 1 { // Delete is in this menu, not beside Edit
			t.Error("the last button opens no menu")
		}
		d.Key(fyne.KeyEscape)
		d.Hover("the question")
	}
	if want := []string{"again 1", "edit 0"}; !slices.Equal(done, want) {
		t.Errorf("%q were done, not %q", done, want)
	}
	d.page.On.Edit = nil
	d.page.Reset()
	d.show(chat, false)
	d.Hover("the question")
	if d.Icons("pencil") > 0 || d.Icons("copy") != 2 {
		t.Errorf("%d buttons edit, and %d copy", d.Icons("pencil"), d.Icons("copy"))
	}
}
