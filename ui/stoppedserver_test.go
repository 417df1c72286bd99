package ui_test

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// darkest returns the darkest colour of a text on the screen, as the sum of its components.
func (d *desk) darkest(text string) uint32 {
	d.T.Helper()
	at, size, seen := d.Place(text)
	if !seen {
		d.T.Fatalf("%q is not on the screen: %q", text, d.Texts())
	}
	least, picture := uint32(3*0xffff), d.Picture()
	for x := range int(size.Width) {
		for y := range int(size.Height) {
			r, g, b, _ := color.NRGBAModel.Convert(picture.At(int(at.X)+x, int(at.Y)+y)).RGBA()
			least = min(least, r+g+b)
		}
	}
	return least
}

// The row of a server that the user stopped kept its counts as if the server ran. Nothing on
// the page started it, because its switch, which applies to later starts, was already on.
func TestAStoppedServerCanBeStartedAgain(t *testing.T) {
	d, host, _ := toolsPage(t, config.Settings{})
	running := d.darkest("2")
	d.run("Disconnect Echo")
	d.sees("Not running")
	d.sees("2") // the number of tools at its last start
	if stopped := d.darkest("2"); stopped <= running+0x6000 {
		t.Errorf("the count of a stopped server is as dark as before: %#x, then %#x", running, stopped)
	}
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeyRight)
	d.until("the card offers a start", func() bool { return d.Reads("Start") })
	d.Press("Start")
	d.sees("Ready")
	if s := host.Snapshot().Servers; len(s) != 1 || s[0].Status != client.Connected {
		t.Errorf("the host has %+v", s)
	}
	if d.Reads("Start") {
		t.Error("the card of a server that runs offers a start")
	}
}

// The page of a server that the user had just disconnected offered a restart until the server
// left the list. The host then disconnected the restarted server, too.
func TestAServerThatEndsOffersNoRestart(t *testing.T) {
	d := newDesk(t, ui.Options{})
	servers := samplechat.ServersWithTools()
	d.window.ShowServers(servers)
	d.run("filesystem")
	if !d.Pressable("Restart") {
		t.Fatalf("the page is %q", d.Texts())
	}
	ends := servers.Servers[0]
	ends.Status = client.Disconnected
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{ends}})
	if !d.Says("Disconnected · ") || d.Pressable("Restart") {
		t.Errorf("the page of a server that ends is %q", d.Texts())
	}
}

// Each click on Start started the server once more, even while goated was already starting it.
// The host lists a server only after goated has read its values.
func TestAPressOnStartCountsOnce(t *testing.T) {
	d, host, _ := toolsPage(t, config.Settings{})
	d.run("Disconnect Echo")
	d.sees("Not running")
	d.Key(fyne.KeyHome)
	d.Key(fyne.KeyRight)
	d.until("the card offers a start", func() bool { return d.Reads("Start") })
	at, size, _ := d.Place("Start")
	middle := fyne.NewPos(at.X+size.Width/2, at.Y+size.Height/2)
	d.PressAt(middle, 0)
	d.PressAt(middle, 0)
	d.sees("Ready")
	d.until("all starts have ended", func() bool { return !d.Reads("Starting…") })
	if s := host.Snapshot().Servers; len(s) != 1 {
		t.Errorf("the host has %d servers after two presses", len(s))
	}
}
