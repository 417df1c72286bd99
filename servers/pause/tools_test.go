package pause

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/pause/dialog"
)

// The tools have titles, schemas that forbid unknown properties, and correct hints.
func TestToolsOfPause(t *testing.T) {
	s := connect(t, Options{}, nil)
	r, err := s.ListTools(t.Context(), nil)
	if err != nil || len(r.Tools) != len(dialog.Kinds())+5 {
		t.Fatalf("%d tools, %v", len(r.Tools), err)
	}
	for _, kind := range dialog.Kinds() {
		if !slices.ContainsFunc(r.Tools, func(tool *mcp.Tool) bool { return tool.Name == string(kind) }) {
			t.Errorf("no tool asks %s", kind)
		}
		if _, tested := questions[kind]; !tested {
			t.Errorf("no test asks %s", kind)
		}
	}
	for _, tool := range r.Tools {
		text, _ := json.Marshal(tool.InputSchema)
		if tool.Title == "" || tool.Description == "" || tool.Annotations == nil || !strings.Contains(string(text), `"additionalProperties":false`) || strings.Contains(string(text), "null") {
			t.Errorf("%s: %s", tool.Name, text)
		}
		if only := strings.Contains(string(text), `"group"`); only != (tool.Name == "multi_choice") { // no other dialog shows groups
			t.Errorf("%s offers groups: %v", tool.Name, only)
		}
	}
}

// Models know checked, group and tags from multi_choice. A client that checks arguments rejected
// them for planner and single_choice, in the words of its library. The seed's options forbid no
// fields. The server rejects a wrong name in a sentence.
func TestOptionsTakeTheFieldsOfSeveralChoices(t *testing.T) {
	all := toolsByName(t)
	s := connect(t, Options{}, elicits(func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"choice": "r"}}
	}))
	for tool, subject := range map[string]string{"planner": "decision_context", "single_choice": "question"} {
		data, err := json.Marshal(all[tool].InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		schema := new(jsonschema.Schema)
		if err := json.Unmarshal(data, schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		arguments := `{"` + subject + `":"Which?","options":[{"label":"Red","value":"r","checked":true,"group":"Warm","tags":["loud"]},{"label":"Blue","value":"b"}]}`
		var value any
		if err := json.Unmarshal([]byte(arguments), &value); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(value); err != nil {
			t.Errorf("%s: %v", tool, err)
		}
		if r, text := call(t, s, tool, arguments); r.IsError || !strings.Contains(text, `"choice":"r"`) {
			t.Errorf("%s: %s", tool, text)
		}
		if r, text := call(t, s, tool, strings.Replace(arguments, "checked", "cheked", 1)); !r.IsError || !strings.Contains(text, "Did you mean checked?") {
			t.Errorf("%s with a wrong name: %s", tool, text)
		}
	}
}
