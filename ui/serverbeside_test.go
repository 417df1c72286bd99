package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
)

// A press beside the page of a server threw away what the user had typed there, and so did Esc on the page of a tool.
// The press now shows where that is, and Esc warns first.
func TestAPressBesideKeepsWhatIsTypedOnTheServerPage(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	if _, err := host.Connect(t.Context(), client.Config{Path: echoServer(t), NoSandbox: true}); err != nil {
		t.Fatal(err)
	}
	d.until("the window lists the tools", func() bool { return d.Reads("2 tools") })
	beside := fyne.NewPos(5, 400)
	d.run("Try echo")
	d.Enter("", "hello", 0)
	d.Press("Log")
	if d.PressAt(beside, 0); d.Layers() == 0 || !d.Reads("All tools") {
		t.Fatalf("the inputs of the tool are not shown: %q", d.Texts())
	}
	if d.Key(fyne.KeyEscape); d.Layers() == 0 || !d.Reads("Press Esc again to close this form. What you entered is lost then.") {
		t.Fatalf("Esc loses the inputs of the tool: %q", d.Texts())
	}
	d.later()
	d.closeSheets()
	d.openServer("echo", "Process")
	if d.PressAt(beside, 0); d.Reads("All variables it gets") {
		t.Error("a page without changes stays open")
	}
}
