package ui_test

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// Ctrl+B folds and unfolds the sidebar. In a narrow window the sidebar covers the page, opens
// from the header too, and closes with Escape.
func TestSidebarFoldsAtEveryWidth(t *testing.T) {
	d := newDesk(t, ui.Options{})
	has := func() bool { return slices.Contains(d.Texts(), "Settings") }
	d.Ctrl(fyne.KeyB)
	if has() {
		t.Error("Ctrl+B does not fold the sidebar")
	}
	d.PressIcon("sidebar")
	if !has() {
		t.Error("the button in the header does not show the sidebar")
	}
	d.Window.Resize(fyne.NewSize(600, 700))
	if has() {
		t.Error("a narrow window shows the sidebar at first")
	}
	d.PressIcon("sidebar")
	at, _, _ := d.PlaceOfField(composer)
	if !has() || at.X > 100 {
		t.Errorf("the sidebar is shown: %t, and the composer begins at %.0f", has(), at.X)
	}
	d.Press("Settings")
	d.closeSheets()
	d.Key(fyne.KeyEscape)
	if has() {
		t.Error("Escape does not close the sidebar over the page")
	}
}

// In a narrow window, the sidebar still covered the conversation that the user chose in it.
func TestTheSidebarGivesWayToTheChosenConversation(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the old map")
	d.newChat()
	d.Window.Resize(fyne.NewSize(600, 700))
	for _, press := range []string{"the old map", "New chat"} {
		d.PressIcon("sidebar")
		d.Press(press)
		if d.Reads("Settings") || !d.Reads(press) || !d.FieldFocused(composer) {
			t.Errorf("after a press on %q, the screen shows %q", press, d.Texts())
		}
	}
}

// The old title is selected, so typing replaces it.
func TestTypingReplacesTheTitle(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the old title")
	at, _, _ := d.Place("the old title", 1) // the first is in the sidebar
	d.PressAt(at.AddXY(4, 4), 0)
	d.Type("Trip")
	d.Key(fyne.KeyReturn)
	d.until("the conversation has its title", func() bool { return d.title() == "Trip" })
}

// A server that fails to start appears in the sidebar beside Tools until it runs.
func TestSidebarSaysThatAServerNeedsTheUser(t *testing.T) {
	d := newDesk(t, ui.Options{})
	all := samplechat.Servers()
	d.window.ShowServers(all)
	if got := d.sidebar(); !slices.Contains(got, "1 needs you") {
		t.Errorf("the sidebar shows %q", got)
	}
	d.run("Tools")
	if !d.Reads("Needs you 1") {
		t.Errorf("the page says otherwise: %q", d.Texts())
	}
	all.Servers[3] = client.Server{ID: "weather", Name: "weather", Status: client.Connected}
	d.window.ShowServers(all)
	if got := d.sidebar(); slices.Contains(got, "1 needs you") || !slices.Contains(got, "3") {
		t.Errorf("when all servers run, the sidebar shows %q", got)
	}
}

// The title in the header renames the conversation, and the palette starts with the most
// recently used conversations.
func TestTitleRenamesAndPaletteBeginsWithRecent(t *testing.T) {
	s, _ := archive(t)
	d := keeping(t, s)
	d.says("the older one")
	d.newChat()
	d.says("the newer one")
	at, _, _ := d.Place("the newer one", 1) // the first is in the sidebar
	d.PressAt(at.AddXY(4, 4), 0)
	if !d.Reads("Rename the conversation") {
		t.Errorf("a press on the title shows %q", d.Texts())
	}
	d.closeSheets()
	d.Ctrl(fyne.KeyK)
	d.Key(fyne.KeyReturn)
	d.until("the conversation is shown", func() bool { return d.title() == "the older one" })
}
