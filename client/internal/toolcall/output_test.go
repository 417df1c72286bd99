package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A result that breaks the output schema of its tool says so to the user and the model.
func TestResultsThatBreakTheirSchema(t *testing.T) {
	schema := map[string]any{"type": "object", "properties": map[string]any{"degrees": map[string]any{"type": "number"}}, "required": []any{"degrees"}}
	for _, c := range []struct {
		name   string
		schema any
		result mcp.CallToolResult
		says   string
	}{
		{"it matches", schema, mcp.CallToolResult{StructuredContent: map[string]any{"degrees": json.Number("21.5")}}, ""},
		{"a wrong type", schema, mcp.CallToolResult{StructuredContent: map[string]any{"degrees": "warm"}}, "degrees"},
		{"a missing field", schema, mcp.CallToolResult{StructuredContent: map[string]any{}}, "degrees"},
		{"nothing structured", schema, mcp.CallToolResult{}, "it has no structured content"},
		{"an error", schema, mcp.CallToolResult{IsError: true}, ""},
		{"no schema", nil, mcp.CallToolResult{}, ""},
		{"a schema that is none", map[string]any{"type": 5}, mcp.CallToolResult{}, ""},
	} {
		err := CheckOutput(&mcp.Tool{OutputSchema: c.schema}, &c.result)
		switch {
		case c.says == "" && (err != nil || len(c.result.Content) > 0):
			t.Errorf("%s: %v, %+v", c.name, err, c.result.Content)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || len(c.result.Content) != 1):
			t.Errorf("%s: %v, %+v", c.name, err, c.result.Content)
		}
	}
}
