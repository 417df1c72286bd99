package main

import (
	"strings"

	"goated/internal/geminitest"
)

// takesDrops sees that goated offers to connect a script which the user drops onto the window, and
// runs it when the user agrees. Any other file, and a script that is dropped onto the composer, is
// attached to the message. There is one conversation, with one turn.
func (d *desk) takesDrops(s *geminitest.Server) {
	d.t.Helper()
	t, p, before := d.t, d.place, len(s.Requests())
	script, _ := p.tally()
	notes := p.write("käse & notes.md", "# Buy cheese\n")
	d.drop(770, 300, notes)
	d.drop(770, 760, script)
	d.say("what are these?")
	d.turn(2)
	body := string(s.Requests()[before].Body)
	for _, want := range []string{"Buy cheese", "count_words", "what are these?"} {
		if !strings.Contains(body, want) {
			t.Errorf("the model is not given %q", want)
		}
	}
	if p.running(script) > 0 {
		t.Error("the script was run")
	}

	d.drop(770, 300, script)
	if n := p.running(script); n > 0 {
		t.Fatal("it runs before anybody said so")
	}
	d.press("Return")
	d.until("the server is connected", func() bool { return len(d.settings().Recent) == 1 })
	if got := d.settings().Recent[0].Path; got != script || p.running(script) == 0 {
		t.Errorf("connected is %s", got)
	}
	d.sheetCloses()
}
