package main

import (
	"os"
	"strings"

	"goated/internal/geminitest"
)

// choosesAModel chooses another model by keyboard alone, in a new conversation. It answers the next
// message, and the conversation keeps the choice over a restart. The model's second answer is "The
// chosen one.", and it has one more.
func (d *desk) choosesAModel(s *geminitest.Server) {
	d.t.Helper()
	t, before := d.t, len(s.Requests())
	d.begin("who answers?")
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
	var asked []string
	for _, r := range s.Requests()[before:] {
		if r.Method == "streamGenerateContent" {
			asked = append(asked, r.Model)
		}
	}
	if len(asked) != 3 || strings.Contains(asked[0], "pro") || !strings.Contains(asked[1], "pro") || asked[2] != asked[1] {
		t.Errorf("the models that were asked are %q", asked)
	}
}
