package transcript

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/view"
)

// summarized is a conversation with a long summary. Its last line is "The needle is in Berlin."
func summarized() view.Chat {
	text := strings.Repeat("You planned a trip.\n\n", 60) + "The needle is in Berlin."
	return view.NewChat([]view.Item{view.User{Text: "Go."}, view.Summary{Text: text, Note: "The model gets a summary."}, view.Answer{Text: "Done."}}, view.Spent{})
}

// Find counted a match in a summary but did not show it, because the summary stayed closed.
func TestFindOpensASummary(t *testing.T) {
	d := newDesk(t)
	d.show(summarized(), false)
	d.page.Find.Open()
	d.Type("needle")
	text, size, _ := d.Place(d.Find("The needle is in Berlin."))
	if end := text.Y + size.Height; !d.Reads("1 of 1") || size.Height < 700 || end < 80 || end > 700 {
		t.Errorf("the match at the end of the summary is at %v", end)
	}
}

// The text of a summary could not be selected, and no key opened it.
func TestSummaryByKeysAndPointer(t *testing.T) {
	d := newDesk(t)
	d.show(summarized(), false)
	d.page.Keyboard.pick(1, false)
	d.Key(fyne.KeyReturn)
	if !d.Says("You planned a trip.") {
		t.Fatal("Enter does not open the summary")
	}
	at, _, _ := d.Place(d.Find("You planned a trip."))
	d.Drag(at.AddXY(1, 10), at.AddXY(400, 10))
	if text := d.page.Selection.Text(); text != "You planned a trip." {
		t.Errorf("the selection is %q", text)
	}
	d.page.Keyboard.pick(1, false)
	d.Key(fyne.KeyReturn)
	if d.Says("You planned a trip.") {
		t.Error("Enter does not close it")
	}
}
