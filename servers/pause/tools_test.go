package pause

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/pause/dialog"
)

// Tools have titles, schemas that refuse unknown properties, and honest hints.
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
		if only := strings.Contains(string(text), `"group"`); only != (tool.Name == "multi_choice") { // no other dialog shows it
			t.Errorf("%s offers groups: %v", tool.Name, only)
		}
	}
}
