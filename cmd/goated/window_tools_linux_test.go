package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The Tools page can be used by keyboard alone: Ctrl+T opens it, and arrows and Space turn a server
// and a tool off and on. The settings contain the change at once. If goated is started from the
// desktop's menu, the tools work in the folder from the settings.
func TestWindowTools(t *testing.T) {
	d := openFromMenu(t, newPlace(t))
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
	d.reads("the window shows the files of the folder", func(shown string) bool { return strings.Contains(shown, "hello.txt") })
	d.close()
}
