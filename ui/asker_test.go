package ui_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/ui"
)

// A form names on one line which program gets the answer, and shows the rest after a click.
// Three lines stood above each form before, and pushed its fields down.
func TestAFormSaysOnOneLineWhoGetsTheAnswer(t *testing.T) {
	fields := schema(t, `{"type":"object","properties":{"colour":{"type":"string","title":"Colour"}}}`)
	for name, c := range map[string]struct {
		inCall bool
		ask    *mcp.ElicitParams
		below  string // the first text after the line
	}{
		"in the conversation": {true, &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: fields}, "“Which colour?”"},
		"on a sheet":          {false, &mcp.ElicitParams{Message: "Which colour?", RequestedSchema: fields}, "“Which colour?”"},
		"a page to visit":     {false, &mcp.ElicitParams{Mode: "url", URL: "https://example.com/login"}, "The page is of"},
	} {
		t.Run(name, func(t *testing.T) {
			d := shown(t, ui.Options{})
			if c.inCall {
				d.callUnderWay("fast", "ask")
			}
			d.elicit(client.Asker{ID: "fast", Name: "fast", Start: "/srv/fast.py"}, c.ask)
			d.sees(c.below)
			d.sees("/srv/fast.py")
			line, _, _ := d.Place("/srv/fast.py")
			first, _, _ := d.Place(c.below)
			if down := first.Y - line.Y; down > 48 {
				t.Errorf("what the server asks begins %g below the line with its program", down)
			}
			const all = "to this server. It can use your answer in any way."
			if d.Reads(all) {
				t.Error("the details are open at first")
			}
			d.Press("Details")
			if after, _, _ := d.Place(c.below); !d.Reads(all) || !d.Reads("the server fast") || after.Y <= first.Y {
				t.Errorf("a press does not show the details: %q", d.Texts())
			}
			d.Press("Details")
			if after, _, _ := d.Place(c.below); d.Reads(all) || after != first {
				t.Error("the second press does not fold them")
			}
		})
	}
}
