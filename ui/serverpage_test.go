package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/consent"
	"goated/registry"
	"goated/ui"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A click on Run counts as the user's answer. goated used to ask for a permission after each
// click, on a sheet above the form.
func TestServerPageTriesAndRestarts(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	policy := consent.NewPolicy(filepath.Join(t.TempDir(), "grants.json"), time.Now)
	d := hosted(t, ui.Options{Host: host, Policy: policy})
	script := echoServer(t)
	d.connect(`"` + script + `"`) // quoted like a path that a file manager copied
	d.connected()
	d.until("the settings list the server", func() bool {
		recent := d.saved.get().Recent
		return len(recent) == 1 && recent[0].Path == script
	})
	d.until("the window lists the tools", func() bool { return d.Reads("2 tools") })
	d.run("Try echo")
	for i := range d.CountFields("") { // the fields of a tool have no hint
		d.Enter("", "hello", i)
	}
	if !d.Reads("Makes changes") {
		t.Error("the page does not say what the tool does")
	}
	d.Press("Run") // like the second click of a double click on the row of the tool
	if d.Reads("Running…") {
		t.Error("the tool ran when the page appeared")
	}
	for _, want := range []string{"hello", "again"} {
		d.Enter("", want)
		d.later()
		d.Press("Run")
		d.until("the result is there", func() bool { return d.Reads(want) && d.Says("Returned after ") && !d.Reads("Running…") })
		if d.Layers() != 1 {
			t.Fatalf("the window asks %q", d.Texts())
		}
		d.Press("Run") // like a held key
		if d.Reads("Running…") {
			t.Error("the tool ran a second time")
		}
	}
	if g := policy.Grants.List(); len(g) > 0 {
		t.Errorf("granted are %v", g)
	}
	d.Press("Restart")
	d.until("the window says that the server restarted", func() bool { return d.Says("echo restarted") })
	d.Press("Process")
	if !d.Says("PATH") {
		t.Error("the page does not show the environment")
	}
	d.closeSheets()
}

// The page shows what a server tells the model, and marks hidden characters in it.
func TestTheUserSeesWhatAServerTellsTheModel(t *testing.T) {
	d := hosted(t, ui.Options{})
	script := scriptOf(t, "notes.py", "")
	source, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Replace(string(source), `"serverInfo": {`, `"instructions": "Search before you send.\u202e", "serverInfo": {`, 1)
	if err := os.WriteFile(script, []byte(said), 0o600); err != nil {
		t.Fatal(err)
	}
	d.connect(script)
	d.connected()
	d.openServer("notes", "Process")
	if !d.Reads("What it tells the model") || !d.Says("Search before you send.⟨U+202E⟩") {
		t.Errorf("the page shows %q", d.Texts())
	}
}

// The page of a server is redrawn whenever the server, its prompts or the shown part change.
// The fields used to lose what the user had typed: the inputs of a tool, and the arguments of a
// prompt.
func TestARedrawKeepsWhatIsTypedOnTheServerPage(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	if _, err := host.Connect(t.Context(), client.Config{Path: echoServer(t), NoSandbox: true, Env: []string{"GOATED_TEST_TOKEN=x"}}); err != nil {
		t.Fatal(err)
	}
	d.until("the window lists the tools", func() bool { return d.Reads("2 tools") })
	d.run("Try echo")
	d.Enter("", "hello", 0)
	d.Press("Restart")
	d.sees("echo restarted")
	d.Press("Log")
	d.Press("Tools")
	if got := d.Field("", 0); got != "hello" {
		t.Errorf("the input of the tool is %q", got)
	}
}

// "All tools" did nothing while the server connected. The open tool stays open until the user
// leaves it, with everything typed there, even if the server fails.
func TestAToolIsLeftWhileItsServerConnects(t *testing.T) {
	d := newDesk(t, ui.Options{})
	tool := registry.Entry{Server: "echo", Name: "echo__echo", Tool: &mcp.Tool{Name: "echo", Description: "Says it again.", InputSchema: map[string]any{"type": "object", "properties": map[string]any{"text": map[string]any{"type": "string"}}}}}
	show := func(status client.Status, err error, tools ...registry.Entry) {
		d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "echo", Name: "echo", Path: "echo.py", Status: status, Err: err, Tools: tools}}})
	}
	show(client.Connected, nil, tool)
	d.openServer("echo", "Tools")
	d.Press("Try")
	d.Enter("", "hello")
	show(client.Failed, errors.New("it ended"))
	d.Press("Log")
	d.Press("Tools")
	if d.CountFields("") != 1 || d.Field("") != "hello" {
		t.Fatalf("after the server failed, the page shows %q", d.Texts())
	}
	show(client.Connecting, nil)
	d.Press("Log")
	d.Press("Tools")
	if d.CountFields("") != 1 || d.Field("") != "hello" {
		t.Fatalf("while the server connects, the page shows %q", d.Texts())
	}
	if d.Press("All tools"); d.Reads("All tools") {
		t.Error("the tool is still open")
	}
	show(client.Connected, nil, tool)
	if !d.Reads("Try") {
		t.Errorf("the page shows %q", d.Texts())
	}
}
