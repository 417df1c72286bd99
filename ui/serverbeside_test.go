package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/registry"
	"goated/ui"
)

// A click beside the page of a server threw away what the user had typed there, and so did Esc
// on the page of a tool. The click now shows where the text is, and Esc warns first.
func TestAPressBesideKeepsWhatIsTypedOnTheServerPage(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	if _, err := host.Connect(t.Context(), client.Config{Path: echoServer(t), Unconfined: true}); err != nil {
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
	d.Press("Log")
	if d.Ctrl(fyne.KeyL); d.Layers() == 0 || !d.Reads("All tools") {
		t.Fatalf("a shortcut loses the inputs of the tool: %q", d.Texts())
	}
	if d.Key(fyne.KeyEscape); d.Layers() == 0 || !d.Reads("Press Esc again to close this form. What you entered is lost then.") {
		t.Fatalf("Esc loses the inputs of the tool: %q", d.Texts())
	}
	d.later()
	d.closeSheets()
	d.openServer("echo", "Permissions")
	d.Enter("Folder or file to allow", "/srv")
	d.Press("Process")
	if d.Key(fyne.KeyEscape); !d.Reads("Press Esc again to close this form. What you entered is lost then.") || d.Field("Folder or file to allow") != "/srv" {
		t.Fatalf("Esc loses the folder: %q", d.Texts())
	}
	if d.Enter("Folder or file to allow", ""); d.Reads("Press Esc again to close this form. What you entered is lost then.") {
		t.Error("the warning stays without a text")
	}
	d.Press("Process")
	if d.PressAt(beside, 0); d.Reads("All variables it gets") {
		t.Error("a page without changes stays open")
	}
}

// Esc warned only on the tab of the tool. On another tab, and in the fields of Permissions, it
// lost what the user had entered. Esc now shows the tab with the text, and each warning applies
// only to its own tab.
func TestEscWarnsOfWhatIsTypedOnEachTab(t *testing.T) {
	const warning = "Press Esc again to close this form. What you entered is lost then."
	d := newDesk(t, ui.Options{})
	tool := registry.Entry{Server: "echo", Name: "echo__echo", Tool: &mcp.Tool{Name: "echo", Description: "Says it again.", InputSchema: map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}}}
	d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "echo", Name: "echo", Path: "echo.py", Status: client.Connected, Tools: []registry.Entry{tool}}}})
	d.openServer("echo", "Tools")
	d.Press("Try")
	d.Enter("", "hello")
	d.Press("Log")
	for range 2 { // the second Esc warns too, because the user has not looked
		if d.Key(fyne.KeyEscape); !d.Reads("All tools") || !d.Reads(warning) {
			t.Fatalf("Esc on another tab loses the inputs: %q", d.Texts())
		}
		d.later()
		d.Press("Log")
	}
}

// "All tools" lost what the user had entered, without the warning of Esc. Users look something
// up in another tool and then continue.
func TestAToolKeepsItsInputsWhileTheUserLooksAtOthers(t *testing.T) {
	const warning = "Press Esc again to close this form. What you entered is lost then."
	d := newDesk(t, ui.Options{})
	var tools []registry.Entry
	for _, name := range []string{"create", "find"} {
		tools = append(tools, registry.Entry{Server: "echo", Name: "echo__" + name, Tool: &mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}}})
	}
	show := func(tools []registry.Entry) {
		d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "echo", Name: "echo", Path: "echo.py", Status: client.Connected, Tools: tools}}})
	}
	show(tools)
	d.openServer("echo", "Tools")
	d.Press("create")
	d.Enter("", "hello")
	d.Press("All tools")
	d.Press("find")
	if got := d.Field(""); got != "" {
		t.Errorf("the other tool has the input %q", got)
	}
	d.Press("All tools")
	if d.Press("create"); d.Field("") != "hello" || !d.FieldFocused("") {
		t.Fatalf("All tools loses the input: %q", d.Texts())
	}
	d.Press("All tools")
	d.Press("find")
	if d.PressAt(fyne.NewPos(5, 400), 0); !d.Reads("All tools") || d.Field("") != "hello" {
		t.Fatalf("a press beside the page does not show the input: %q", d.Texts())
	}
	d.Press("All tools")
	if d.Key(fyne.KeyEscape); !d.Reads("All tools") || d.Field("") != "hello" || !d.Reads(warning) {
		t.Fatalf("Esc in the list loses the input: %q", d.Texts())
	}
	d.Press("All tools")
	show(tools[1:]) // the server no longer has the tool, so no form can show the input
	if d.Key(fyne.KeyEscape); d.Reads("Permissions") {
		t.Errorf("Esc does not close the page: %q", d.Texts())
	}
}
