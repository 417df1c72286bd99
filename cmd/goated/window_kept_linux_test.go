package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// begin sends the first message of a new conversation, and waits until the history contains it.
func (d *desk) begin(text string) {
	d.t.Helper()
	before := len(d.history())
	d.opens("ctrl+n")
	d.say(text)
	d.until("the conversation is kept", func() bool { return len(d.history()) > before && len(d.turns()) == 1 })
}

// deletes sees in a new conversation that the user deletes a message with its answer and everything
// after it, and restores it. The model's next answers are Paris, Rome and another one.
func (d *desk) deletes(s *geminitest.Server) {
	d.t.Helper()
	t, before := d.t, len(s.Requests())
	d.begin("capital of France?")
	d.turn(1)
	d.say("and of Italy?")
	d.turn(2)
	const first, both = "capital of France?\n\nParis.", "capital of France?\n\nParis.\n\nand of Italy?\n\nRome."
	gone := func(how string) {
		t.Helper()
		d.until("the message is gone", func() bool { return len(d.turns()) == 1 })
		d.reads("the window no longer shows it after "+how, exactly(first))
	}
	back := func() {
		t.Helper()
		d.press("ctrl+shift+z")
		d.until("the message is back", func() bool { return len(d.turns()) == 2 })
		d.reads("the window shows it again", exactly(both))
	}
	d.press("alt+Up", "alt+Up", "Delete") // the user's message of the last turn
	gone("Delete")
	back()
	d.press("alt+Up", "alt+Up", "Delete")
	gone("Delete")
	d.say("again?")
	d.turn(2)
	if body := string(s.Requests()[before+2].Body); strings.Contains(body, "Italy") || !strings.Contains(body, "France") {
		t.Errorf("the model receives %s", body)
	}
}

// A search in a long conversation scrolls to the match and marks it. A search through all
// conversations opens the selected one at its match with Enter. In other conversations of the same
// window, the user deletes messages, and writes in every script.
func TestWindowSearchesConversations(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	var long strings.Builder
	long.WriteString("The needle is in the beginning.\n\n")
	for i := range 120 {
		fmt.Fprintf(&long, "Paragraph %d is hay.\n\n", i+1)
	}
	s.Script(geminitest.Text(long.String()), geminitest.Text("Nothing but straw."), geminitest.Text("Found."),
		geminitest.Text("Paris."), geminitest.Text("Rome."), geminitest.Text("Paris, as I said."), geminitest.Text(everyScript))
	d := openDesk(t, p)
	d.say("the haystack")
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
	d.press("Escape", "ctrl+n")
	d.say("the barn")
	d.turn(1)
	d.opens("ctrl+shift+f")
	d.write("needle")
	d.until("what was found is opened, and marked", func() bool {
		d.still() // Enter opens the matches found so far
		d.press("Return")
		return d.shows(darkHere) > 20
	})
	d.press("Escape", "Escape", "ctrl+l")
	d.still()
	d.say("where is it?")
	d.until("the conversation that was found goes on", func() bool {
		all := d.history()
		return len(all) == 2 && all[0].Conversation.Title == "the haystack" && len(all[0].Turns) == 2
	})
	d.turn(2)
	d.deletes(s)
	d.showsEveryScript()
	d.close()
	s.Done()
}

// The user drops an exported conversation onto a window elsewhere. It becomes a conversation there
// and can be continued. Before that, the user drops other files.
func TestWindowImportsWhatIsDropped(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Script(geminitest.Text("Four days."), geminitest.Text("I see both."), geminitest.Text("By train."))
	d := openDeskOf(t, p, wideScreen)
	d.say("how long is the trip?")
	d.turn(1)
	d.do("Export the conversation as JSON")
	var exported string
	d.until("it is exported", func() bool {
		d.press("Return") // on the suggestion, once the question is there
		d.still()
		for _, dir := range []string{p.home, p.project} {
			if found, _ := filepath.Glob(filepath.Join(dir, "*.json")); len(found) == 1 {
				exported = found[0]
			}
		}
		return exported != ""
	})
	d.takesDrops(s)
	d.close()
	if err := os.RemoveAll(d.data); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(d.data, 0o700); err != nil {
		t.Fatal(err)
	}
	d.settle(`{"welcomed":true}`)
	d.open()
	d.drop(770, 300, exported)
	d.until("the conversation is there", func() bool { return len(d.turns()) == 1 })
	d.reads("the window shows what was imported", exactly("how long is the trip?\n\nFour days."))
	d.say("how do I get there?")
	d.turn(2)
	if body := string(s.Requests()[2].Body); !strings.Contains(body, "Four days.") {
		t.Errorf("the model receives %s", body)
	}
	d.close()
	s.Done()
}
