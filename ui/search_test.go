package ui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui"
)

// searchField is the hint of the field that searches all conversations.
const searchField = "Search conversations"

// searches types a query and waits for its result.
func (d *desk) searches(query, note string) {
	d.T.Helper()
	d.Enter(searchField, query)
	d.until("the search says "+note, func() bool { d.beats(1); return d.Says(note) })
}

// A search result leads to the message on whatever branch it is.
func TestSearchLeadsToTheMessage(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the zebra crossing")
	for range 3 {
		d.says(strings.Repeat("nothing of interest\n", 30))
	}
	d.until("the first message is in sight", func() bool {
		d.ScrollAt(fyne.NewPos(700, 400), 2000)
		at, _, seen := d.Place("the zebra crossing", 2) // the first two are in the sidebar and the header
		return seen && at.Y > 60
	})
	d.edits("the zebra crossing", "the giraffe")
	d.newChat()
	d.says("unrelated")
	d.run("Search all conversations…")
	if !d.FieldFocused(searchField) {
		t.Fatal("the field does not have the focus")
	}
	d.searches("zeb CROSS", "Found in")
	if d.Reads("Today") {
		t.Error("the list of conversations is still shown")
	}
	d.Key(fyne.KeyReturn)
	d.until("the message is shown", func() bool { return slices.Contains(d.transcript(), "the zebra crossing") })
	marks := func() int { return d.Marks(d.message("the zebra crossing")) }
	d.until("both words of the message are marked", func() bool { return marks() == 2 })
	if !d.FieldFocused(searchField) {
		t.Error("the field lost the focus")
	}
	d.beats(100)
	if n := marks(); n != 0 {
		t.Errorf("%d marks stay", n)
	}
	d.searches("nosuchword", "Nothing found for “nosuchword”")
	d.Key(fyne.KeyEscape)
	if d.Field(searchField) != "" || !d.Reads("Today") {
		t.Error("Escape does not clear the search")
	}
	d.Key(fyne.KeyEscape)
	if d.FieldFocused(searchField) {
		t.Error("a second Escape does not go back to the composer")
	}
}

// A search result in the conversation of an open question hid the question and the queue, while
// Ctrl+Enter still answered it.
func TestASearchResultKeepsTheQuestion(t *testing.T) {
	s, _ := archive(t)
	d, m := calling(t, ui.Options{History: s}, moveFiles())
	for _, text := range []string{"move them", "the zebra crossing"} { // the first is the title
		d.send(text)
		d.sees(allowThis)
		d.later()
		d.Ctrl(fyne.KeyReturn)
		d.answer(m)
		d.settled()
	}
	d.send("move them again")
	d.sees(allowThis)
	d.send("and then this")
	d.searches("zebra", "Found in")
	d.Key(fyne.KeyReturn)
	if !d.Reads(allowThis) || !slices.Contains(d.transcript(), "and then this") {
		t.Errorf("the conversation shows %q", d.transcript())
	}
	d.later()
	d.Press("Deny")
	d.answer(m)
}

// If searches overtake each other, the window shows the result of the newest one. The arrow
// keys move through it.
func TestNewestSearchWins(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	for i := range 3 {
		d.newChat()
		d.says(fmt.Sprintf("an apple %d", i))
	}
	for i := range 40 {
		d.Enter(searchField, "apple"[:1+i%5])
		d.beats(1) // starts the search
	}
	d.until("the newest search is shown", func() bool { return d.Says("Found in 6 places") })
	d.settled()
	if !d.Says("Found in 6 places") {
		t.Error("an older search is shown")
	}
	for range 10 { // the mark stays on the last result
		d.Key(fyne.KeyDown)
	}
	d.Key(fyne.KeyReturn)
	d.until("the last of the places is opened", func() bool { return d.title() == "an apple 0" })
	d.Enter(searchField, "")
	if d.Says("Found in") || !d.Reads("Today") {
		t.Error("what was found is still shown")
	}
}

// A result takes only as many lines as it needs.
func TestResultsOfASearchHaveNoEmptyLine(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("zebra")
	d.newChat()
	d.says("the zebra " + strings.Repeat("and many more words of a long message ", 4))
	d.run("Search all conversations…")
	d.searches("zebra", "Found in")
	var tops []float32
	for nth := 0; ; nth++ {
		at, size, _ := d.Place("now", nth)
		if size.IsZero() {
			break
		}
		if at.X < sidebarWidth {
			tops = append(tops, at.Y)
		}
	}
	slices.Sort(tops)
	short := float32(1000)
	for i := range tops[1:] {
		short = min(short, tops[i+1]-tops[i])
	}
	if len(tops) < 2 || short > 56 {
		t.Errorf("the results begin at %v", tops)
	}
}

// In a narrow window, the sidebar still covered the conversation of a result.
func TestASearchResultClosesTheSidebarOverIt(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the zebra crossing")
	d.newChat()
	d.Window.Resize(fyne.NewSize(600, 700))
	for range 2 { // first in another conversation, then in the shown one
		d.PressIcon("sidebar")
		d.searches("zebra", "Found in")
		d.Key(fyne.KeyReturn)
		d.until("the sidebar closes", func() bool { return !d.HasField(searchField) && d.Says("the zebra crossing") })
	}
}

// A result in the shown conversation left the page that covered it.
func TestASearchResultClosesThePage(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the zebra crossing")
	d.Ctrl(fyne.KeyT)
	d.until("the page is open", func() bool { return !d.HasField(composer) })
	d.searches("zebra", "Found in")
	d.Key(fyne.KeyReturn)
	if !d.HasField(composer) {
		t.Errorf("the page stays: %q", d.Texts())
	}
	if !d.FieldFocused(searchField) {
		t.Error("the field lost the focus")
	}
}
