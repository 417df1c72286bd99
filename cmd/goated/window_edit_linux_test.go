package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// A message is edited: the new version takes its place, both are kept, and
// somebody goes from one to the other. The model receives no other branch.
func TestWindowBranches(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Script(geminitest.Text("Paris."), geminitest.Text("Rome."), geminitest.Text("Of Italy, then."))
	d := openDesk(t, p)
	d.say("capital of France?")
	d.turn(1)
	d.click(1108, 140) // the pencil under the message
	d.until("the message can be edited and saved", func() bool { return d.mainActions() > 700 })
	d.rests() // the field gets the focus a frame later
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
	d.close()
	s.Done()
}

// A long conversation is searched: what was found comes into sight, marked.
func TestWindowFindsInTheConversation(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	var long strings.Builder
	long.WriteString("The needle is in the beginning.\n\n")
	for i := range 150 {
		fmt.Fprintf(&long, "Paragraph %d is hay, and nothing but hay.\n\n", i+1)
	}
	s.Script(geminitest.Text(long.String()))
	d := openDesk(t, p)
	d.say("tell me of the haystack")
	d.turn(1)
	end := d.colours()
	d.press("ctrl+f")
	d.write("needle")
	d.until("what was found is marked", func() bool { return d.shows(darkHere) > 20 })
	d.press("Escape")
	d.until("the mark is gone", func() bool { return d.shows(darkHere) == 0 })
	d.still()
	if maps.Equal(end, d.colours()) {
		t.Error("the window still shows the end of the answer")
	}
	d.press("ctrl+f")
	d.write("no such word")
	d.until("nothing is marked where nothing is found", func() bool { return d.shows(darkHere) == 0 })
	d.close()
}
