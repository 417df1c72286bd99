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
	var outputs Outputs
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
		err := outputs.Check(&mcp.Tool{OutputSchema: c.schema}, &c.result)
		switch {
		case c.says == "" && (err != nil || len(c.result.Content) > 0):
			t.Errorf("%s: %v, %+v", c.name, err, c.result.Content)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || len(c.result.Content) != 1):
			t.Errorf("%s: %v, %+v", c.name, err, c.result.Content)
		}
	}
}

// A tool that a server redefines is checked against its new schema.
func TestOutputSchemaOfARedefinedTool(t *testing.T) {
	var outputs Outputs
	says := func(kind string) *mcp.Tool {
		return &mcp.Tool{Name: "heat", OutputSchema: map[string]any{"type": "object", "properties": map[string]any{"degrees": map[string]any{"type": kind}}}}
	}
	result := func() *mcp.CallToolResult {
		return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"degrees":"warm"}`)}
	}
	number, text := says("number"), says("string")
	for range 2 {
		if err := outputs.Check(number, result()); err == nil || !strings.Contains(err.Error(), "degrees") {
			t.Errorf("a text in place of a number: %v", err)
		}
	}
	if err := outputs.Check(text, result()); err != nil {
		t.Errorf("a text where a text is promised now: %v", err)
	}
}

// BenchmarkCheck is what a result costs whose tool promises a structure.
func BenchmarkCheck(b *testing.B) {
	tool := &mcp.Tool{Name: "heat", OutputSchema: map[string]any{"type": "object", "properties": map[string]any{"degrees": map[string]any{"type": "number"}}, "required": []any{"degrees"}}}
	r := &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"degrees":21.5}`)}
	var outputs Outputs
	b.ReportAllocs()
	for b.Loop() {
		if err := outputs.Check(tool, r); err != nil {
			b.Fatal(err)
		}
	}
}
