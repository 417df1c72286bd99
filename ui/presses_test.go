package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// A click on the text of the welcome takes the focus from Try, but Enter still presses Try.
func TestEnterTriesAfterAPressOnTheWelcome(t *testing.T) {
	d := newDesk(t, ui.Options{Save: func(config.Settings) error { return nil }, Pages: ui.PageOptions{Folder: "/srv/trip"}})
	d.run("Show the welcome page")
	d.PressAt(d.Word("You need no key for this. Try writes “What files are in this folder?” for you; press Enter to send it.", "need"), 0)
	d.Key(fyne.KeyReturn)
	if d.Layers() != 0 || d.draft() != "What files are in this folder?" {
		t.Errorf("%d layers are open, and the message is %q", d.Layers(), d.draft())
	}
}

// The number of tools below the message opens the Tools page, because it looks like the button
// beside it.
func TestNumberOfToolsOpensTheirPage(t *testing.T) {
	d := newDesk(t, ui.Options{})
	d.window.ShowServers(samplechat.Servers())
	d.PressAt(d.Word("12 tools", "tools"), 0)
	d.sees("Add server")
}
