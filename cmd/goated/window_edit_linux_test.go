package main

import (
	"fmt"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// The user edits a message: the new version replaces it, goated keeps both, and the user can switch
// between them. The model gets only the selected branch. In another conversation of the same window,
// the user edits a message that waits.
func TestWindowBranches(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	goOn := make(chan struct{})
	s.Script(geminitest.Text("Paris."), geminitest.Text("Rome."), geminitest.Text("Of Italy, then."),
		geminitest.Turn(geminitest.Text("The first"), geminitest.Until(goOn), geminitest.Text(" answer.")), geminitest.Text("The second answer."))
	d := openDeskOf(t, p, wideScreen)
	d.say("capital of France?")
	d.turn(1)
	d.click(1108, 140) // the pencil below the message
	d.until("the message can be edited and saved", func() bool { return d.mainActions() > 700 })
	d.rests() // the field gets the focus one frame later
	d.press("ctrl+a")
	d.write("capital of Italy?")
	d.press("ctrl+Return") // saves the edit
	d.until("there are two versions", func() bool {
		turns := d.turns()
		return len(turns) == 1 && len(turns[0].Siblings) == 2 && !turns[0].Ended.IsZero()
	})
	d.reads("the new version is shown", exactly("capital of Italy?\n\nRome."))
	at := func(index int, shown string, does func()) {
		t.Helper()
		does()
		d.until("another version is there", func() bool { return d.turns()[0].Index == index })
		d.reads(fmt.Sprintf("version %d is shown", index+1), exactly(shown))
	}
	const first, second = "capital of France?\n\nParis.", "capital of Italy?\n\nRome."
	at(0, first, func() { d.do("Version 1 of 2") })
	at(1, second, func() { d.press("ctrl+bracketright") })
	at(0, first, func() { d.press("ctrl+bracketleft") })
	at(1, second, func() { d.do("Version 2 of 2") })
	d.say("of which country?")
	d.turn(2)
	last := s.Requests()[2]
	if body := string(last.Body); strings.Contains(body, "France") || !strings.Contains(body, "Italy") {
		t.Errorf("the model receives %s", body)
	}
	d.queues(s, goOn)
	d.close()
	s.Done()
}
