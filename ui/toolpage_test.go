package ui_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/agent"
	"goated/internal/quarantine"
	"goated/internal/wording"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// The page of a tool shows how the version for the model differs from the server's, and why the
// model does not receive a tool.
func TestToolPageTellsWhatTheModelGets(t *testing.T) {
	for _, schema := range []any{
		map[string]any{"type": "object", "properties": map[string]any{"depth": map[string]any{"type": "integer", "multipleOf": 2}}},
		false,
	} {
		d := newDesk(t, ui.Options{})
		s := samplechat.ServersWithTools()
		e := s.Servers[0].Tools[0]
		e.Tool.InputSchema = schema
		d.window.ShowServers(s)
		d.run("Try " + e.Tool.Name)
		if notes := wording.DeclarationNotes(agent.Declare(e)); len(notes) != 1 || !d.Reads(notes[0]) {
			t.Errorf("the page does not say %q, but %q", notes, d.Texts())
		}
	}
}

// The page of a tool that a model service rejected shows the reason, and how long models do not
// receive the tool. A button makes them receive it again.
func TestToolPageTellsWhichModelRefusedIt(t *testing.T) {
	refused := quarantine.New(filepath.Join(t.TempDir(), "quarantine.json"))
	d := newDesk(t, ui.Options{Pages: ui.PageOptions{Refused: refused}})
	s := samplechat.ServersWithTools()
	e := s.Servers[0].Tools[0]
	if err := refused.Refuse("", "gemini-3.5-flash", e, "too many states for serving"); err != nil {
		t.Fatal(err)
	}
	d.window.ShowServers(s)
	d.run("Try " + e.Tool.Name)
	why := refused.Of(e)[0]
	words := wording.ToolRefusedText(why.Model, why.Reason, why.At, why.Until())
	if !strings.Contains(words, "The answer was: too many states for serving.") || !d.Reads(words) {
		t.Fatalf("the page does not say %q, but %q", words, d.Texts())
	}
	d.Press("Let models get it again")
	d.until("the sentence is gone", func() bool { return !d.Reads(words) })
	if left := refused.Of(e); len(left) > 0 {
		t.Errorf("still refused: %+v", left)
	}
	if d.Reads("Let models get it again") {
		t.Error("the button stays")
	}
}

// A long description pushed the form off the screen, and did not mark invisible characters. The
// focus was in a field far below, so the page did not show its subject.
func TestALongDescriptionLeavesTheFormInSight(t *testing.T) {
	d := newDesk(t, ui.Options{})
	s := samplechat.ServersWithTools()
	e := s.Servers[0].Tools[0]
	e.Tool.Description = strings.Repeat("It says \u202e how. ", 300) + "The end."
	inputs := map[string]any{}
	for i := range 20 {
		inputs[fmt.Sprintf("input_%02d", i)] = map[string]any{"type": "string", "default": "x"}
	}
	inputs["last"] = map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []any{"city"}}
	e.Tool.InputSchema = map[string]any{"type": "object", "properties": inputs, "required": []any{"input_00", "input_01", "last"}}
	s.Servers[0].Tools[0].Input = ""
	d.window.ShowServers(s)
	d.run("Try " + e.Tool.Name)
	_, _, field := d.PlaceOfField("")
	if _, _, top := d.Place("All tools"); !field || !top || !d.Says("It says ⟨U+202E⟩ how.") {
		t.Errorf("the top and the first field are in sight: %t, %t; the page shows %q", top, field, d.Texts())
	}
	d.Press("Show all")
	if !d.Says("The end.") {
		t.Error("the description does not open whole")
	}
}

// A server that adds a tool while the user filters its tools redraws their list. The field lost the focus.
func TestTheFilterOfToolsKeepsTheFocus(t *testing.T) {
	d := newDesk(t, ui.Options{})
	s := samplechat.ServersWithTools()
	d.window.ShowServers(s)
	d.openServer("filesystem", "Tools")
	d.FocusField("Find a tool")
	d.Type("re")
	more := samplechat.ServersWithTools()
	more.Servers[0].Tools = slices.Delete(more.Servers[0].Tools, 0, 1)
	more.Servers[0].Tools = append(more.Servers[0].Tools, s.Servers[0].Tools[0], s.Servers[0].Tools[1])
	d.window.ShowServers(more)
	if d.Type("ad"); d.Field("Find a tool") != "read" {
		t.Errorf("the field has %q, and the focus is on %q", d.Field("Find a tool"), d.Focus())
	}
}
