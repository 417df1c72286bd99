package ui_test

import (
	"fmt"
	"slices"
	"testing"

	"goated/agent"
	"goated/ui"
	"goated/ui/view"
)

// Larger text immediately takes more room, and the part that the user looked at stays visible.
func TestTextOfConversationsGrowsLive(t *testing.T) {
	d := shown(t, ui.Options{})
	const words = "It says this, and more of it:"
	c := view.Chat{}
	for i := range 40 {
		c = c.Say(fmt.Sprintf("Question %d", i)).Apply(agent.TextDelta{Text: "# A title\n\nIt says `this`, and more of it:\n\n```go\nfunc f() {}\n```"}).Apply(agent.TurnEnded{Reason: agent.Done})
	}
	d.show(c)
	// first returns the number of the first visible question and the distance to the next.
	first := func() (n int, height float32) {
		t.Helper()
		found := -1
		for _, s := range d.VisibleTexts(composer, sidebarWidth, 57, 2000, 2000) {
			if _, err := fmt.Sscanf(s.Text, "Question %d", &n); err == nil {
				found = n
				break
			}
		}
		from, _, _ := d.Place(fmt.Sprintf("Question %d", found))
		to, _, _ := d.Place(fmt.Sprintf("Question %d", found+1))
		if found < 0 || to.Y <= from.Y {
			t.Fatalf("the window shows %q", d.transcript())
		}
		return found, to.Y - from.Y
	}
	resize := func(name string, saved int) {
		t.Helper()
		d.run("Conversation text size")
		d.Press(name)
		d.closeSheets()
		d.until("listings have their colours", d.window.Coloured)
		d.until("the size is saved", func() bool { return d.saved.get().TextSize == saved })
	}
	d.ScrollAt(chatMiddle, 4000)
	row, before := first()
	if row < 5 || row > 30 {
		t.Fatalf("question %d is the first in sight: the test tells nothing", row)
	}
	resize("Larger", 18)
	now, after := first()
	if after < before*1.05 {
		t.Errorf("a turn is %g high, and was %g", after, before)
	}
	if now < row-1 || now > row+1 {
		t.Errorf("question %d is at the top, and %d was", now, row)
	}
	// A listing has a line with its language and a button.
	for text, want := range map[string][]float32{"A title": {23}, words: {17, 18}, "func f() {}": {12, 13, 17}, fmt.Sprintf("Question %d", now): {18}} {
		if got := d.LetterSizes(text); !slices.Equal(got, want) {
			t.Errorf("%q has letters of %v, not %v", text, got, want)
		}
	}
	resize("Normal", 0)
	if _, again := first(); again != before {
		t.Errorf("back again a turn is %g high, and was %g", again, before)
	}
}
