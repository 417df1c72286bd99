package main

import (
	"os"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// The user chooses another model by keyboard alone. It answers the next message, and the
// conversation keeps the choice.
func TestWindowChoosesAModel(t *testing.T) {
	p := newPlace(t)
	s := p.gemini()
	s.Script(geminitest.Text("The default."), geminitest.Text("The chosen one."), geminitest.Text("Still the chosen one."))
	d := openDesk(t, p)
	d.say("who answers?")
	d.turn(1)
	d.opens("ctrl+m")
	d.write("pro")
	d.rests()
	if path := os.Getenv("GOATED_MODEL_PICTURE"); path != "" {
		d.save(path)
	}
	d.press("Return")
	d.sheetCloses()
	d.say("and now?")
	if turn := d.turn(2); turn.Error != "" {
		t.Errorf("the chosen model fails: %s", turn.Error)
	}
	d.close()
	d.open()
	d.reads("the conversation is back", ending("The chosen one.")) // an earlier message would begin a new conversation
	d.say("and after a start?")
	d.turn(3)
	d.close()
	var asked []string
	for _, r := range s.Requests() {
		if r.Method == "streamGenerateContent" {
			asked = append(asked, r.Model)
		}
	}
	if len(asked) != 3 || strings.Contains(asked[0], "pro") || !strings.Contains(asked[1], "pro") || asked[2] != asked[1] {
		t.Errorf("the models that were asked are %q", asked)
	}
	s.Done()
}
