package main

import (
	"strings"
	"testing"
	"time"

	"goated/agent"
)

// A new user without a key gets to the first tool call in under a minute, with the first button of
// the welcome and Enter.
func TestWindowFirstRun(t *testing.T) {
	p := newPlace(t)
	d := newDeskOf(t, p, smallScreen)
	if _, err := windowBinary(); err != nil { // compiling it is not part of the user's time
		t.Fatal(err)
	}
	began := time.Now()
	d.open()
	d.press("Return") // Try
	d.still()
	d.press("Return")
	turn := d.turn(1)
	took := time.Since(began)
	if e, ok := event[agent.ToolReturned](turn); !ok || e.Error != "" {
		t.Errorf("no tool was called: %+v", turn.Events)
	}
	if took > time.Minute {
		t.Errorf("it took %v", took)
	}
	t.Logf("from the start to the first tool's result: %v", took.Round(100*time.Millisecond))
	d.reads("the window shows the result", func(shown string) bool {
		return strings.Contains(shown, "What files are in this folder?") && strings.Contains(shown, "hello.txt")
	})
	d.until("the welcome is not shown again", func() bool { return d.settings().Welcomed })
	d.close()
}

// A desktop menu starts goated in the home folder, which is not a project. The first button of the
// welcome still leads to a call that works, after the user allows it.
func TestWindowFirstRunInTheHomeFolder(t *testing.T) {
	p := newPlace(t)
	p.project = p.home
	d := newDeskOf(t, p, smallScreen)
	d.open()
	d.press("Return") // Try
	d.still()
	d.press("Return")
	d.answer(1, "ctrl+Return")
	turn := d.turn(1)
	if e, ok := event[agent.ToolReturned](turn); !ok || e.Error != "" {
		t.Errorf("no tool worked: %+v", turn.Events)
	}
	d.close()
}
