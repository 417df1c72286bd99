package main

import (
	"os"
	"slices"
	"testing"
)

// The Tools page can be used by keyboard alone: Ctrl+T opens it, and arrows and Space turn a server
// and a tool off and on. The settings contain the change at once.
func TestWindowTools(t *testing.T) {
	p := newPlace(t)
	d := openDesk(t, p)
	d.press("ctrl+t")
	d.rests()
	off := func() []string { return d.settings().BundledToolsOff["ghost"] }
	d.press("slash")
	d.write("desktop notes")
	d.rests()
	d.press("Return", "Home")
	d.rests()
	d.press("Down")
	d.rests()
	d.press("space")
	d.until("a tool of ghost is off", func() bool { return len(off()) == 1 })
	if path := os.Getenv("GOATED_TOOLS_PICTURE"); path != "" {
		d.save(path)
	}
	d.press("space")
	d.until("the tool is on again", func() bool { return len(off()) == 0 })
	d.press("Up", "space")
	d.until("the server is off", func() bool { return slices.Contains(d.settings().BundledOff, "ghost") })
	d.rests() // the settings contain it before the page shows it
	d.press("space")
	d.until("the server is on again", func() bool { return len(d.settings().BundledOff) == 0 })
	d.press("ctrl+t")
	d.say("List the files in .")
	d.turn(1)
	d.close()
}
