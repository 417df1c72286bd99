package ui_test

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/registry"
	"goated/ui"
)

// The page kept the tool as it was when the page opened. After each change of the server, Run
// reported that the tool had changed since its approval, and the form had the old inputs. Only
// reopening the page helped.
func TestTheOpenToolFollowsItsServer(t *testing.T) {
	host := client.New(client.Options{Unconfined: unconfined})
	defer host.Close()
	d := hosted(t, ui.Options{Host: host})
	script := scriptOf(t, "echo.py", "")
	source, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	id, err := host.Connect(t.Context(), client.Config{Path: script, Unconfined: true})
	if err != nil {
		t.Fatal(err)
	}
	d.until("the window lists the tools", func() bool { return d.Reads("2 tools") })
	d.run("Try echo")
	d.Enter("", "hello")
	for _, change := range []struct{ old, new, want string }{
		{`args.get("message") or`, `"re: " + args.get("message") or`, "re: hello"},                      // only the code changes
		{`{"message": {"type": "string"}}`, `{"when": {}, "message": {"type": "string"}}`, "re: hello"}, // the inputs change
	} {
		source = []byte(strings.Replace(string(source), change.old, change.new, 1))
		if err := os.WriteFile(script, source, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := host.Restart(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		d.until("the tool returns", func() bool { // repeats, because the window may not have the new server yet
			d.later()
			d.Ctrl(fyne.KeyReturn)
			return d.Reads(change.want) && d.Reads("when") == strings.Contains(change.new, "when")
		})
	}

	// After a change of the inputs, Esc closed the page without a warning and lost the values
	// that had moved to the new form.
	d.Enter("", "hello again", 1)
	source = []byte(strings.Replace(string(source), `"when": {}`, `"where": {}`, 1))
	if err := os.WriteFile(script, source, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := host.Restart(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	d.until("the page has the new form", func() bool { return d.Reads("where") })
	if d.Key(fyne.KeyEscape); d.Field("", 1) != "hello again" || !d.Reads("Press Esc again to close this form. What you entered is lost then.") {
		t.Errorf("Esc loses what the user entered before the change: %q", d.Texts())
	}
}

// A change of the open tool moved the focus to its first field, which received what the user
// typed next.
func TestAChangeOfTheOpenToolKeepsTheFocus(t *testing.T) {
	d := newDesk(t, ui.Options{})
	show := func(inputs ...string) {
		properties := make(map[string]any)
		for _, name := range inputs {
			properties[name] = map[string]any{"type": "string"}
		}
		tool := registry.Entry{Server: "echo", Name: "echo__echo", Tool: &mcp.Tool{Name: "echo", InputSchema: map[string]any{"type": "object", "properties": properties}}}
		d.window.ShowServers(client.Snapshot{Servers: []client.Server{{ID: "echo", Name: "echo", Path: "echo.py", Status: client.Connected, Tools: []registry.Entry{tool}}}})
	}
	show("text", "to")
	d.openServer("echo", "Tools")
	d.Press("Try")
	d.Enter("", "you", 1)
	show("about", "text", "to")
	if d.Type("!"); !strings.Contains(d.Field("", 2), "!") {
		t.Errorf("the focus moved: %q %q %q", d.Field("", 0), d.Field("", 1), d.Field("", 2))
	}
}
