package main

import (
	"slices"
	"strings"
	"testing"

	"goated/internal/config"
)

// The user connects a server by typing its path. A card shows what is wrong with the path, and
// disappears when the user corrects it. The server runs again after the next start.
func TestWindowConnectsByTyping(t *testing.T) {
	p := newPlace(t)
	script, list := p.tally()
	broken := p.write("broken.py", "import sys\nprint('the shelf is empty', file=sys.stderr)\nraise SystemExit(7)\n")
	d := openDesk(t, p)

	d.opens("ctrl+shift+c")
	d.write(script + "x")
	d.press("Return")
	d.until("the field rejects a path that is no script", func() bool { return d.shows(darkBad) > 0 })

	d.press("ctrl+a")
	d.write(broken)
	d.until("the card goes while the user corrects the path", func() bool { return d.shows(darkBad) == 0 })
	d.press("Return")
	d.until("the card reports a server that ends at once", func() bool { return d.shows(darkBad) > 0 })
	d.rests() // while it connects, Tab skips the form
	// The focus passes path, browse, name, environment, log, report, restart, and details.
	d.press("Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "space")
	d.still()
	d.press("Tab")
	if said := d.copied(func() { d.press("space") }); !strings.Contains(said, "the shelf is empty") {
		t.Errorf("what the server wrote is copied as %q", said)
	}
	if n := p.running(broken); n > 0 {
		t.Errorf("%d processes are left of it", n)
	}

	d.press(append(slices.Repeat([]string{"shift+Tab"}, 8), "ctrl+a")...)
	d.write(script)
	d.press("Return")
	d.until("it is among the recent servers, and saved", func() bool {
		is := config.Launch{Path: script}.Same
		return slices.ContainsFunc(d.settings().Recent, is) && slices.ContainsFunc(d.settings().Launch, is)
	})
	d.sheetCloses()
	d.say(`count words "the quick brown fox"`)
	d.answer(1, "ctrl+Return")
	d.turn(1)
	if got := linesOf(list); len(got) != 1 || got[0] != "the quick brown fox" {
		t.Errorf("the tool was called with %q", got)
	}
	d.startsAgain(script)
}
