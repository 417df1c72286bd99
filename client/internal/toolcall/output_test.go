package toolcall

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A result that violates its tool's output schema tells the user and the model so.
func TestResultsThatBreakTheirSchema(t *testing.T) {
	schema := map[string]any{"type": "object", "properties": map[string]any{"degrees": map[string]any{"type": "number"}}, "required": []any{"degrees"}}
	itself := map[string]any{"properties": map[string]any{"a": map[string]any{"$ref": "#"}}}
	twice := map[string]any{"properties": itself["properties"], "allOf": []any{itself}}
	var outputs Outputs
	for _, c := range []struct {
		name   string
		schema any
		result mcp.CallToolResult
		says   string
	}{
		{"it matches", schema, mcp.CallToolResult{StructuredContent: map[string]any{"degrees": json.Number("21.5")}}, ""},
		{"a wrong type", schema, mcp.CallToolResult{StructuredContent: map[string]any{"degrees": "warm"}}, "degrees"},
		{"a missing field", schema, mcp.CallToolResult{StructuredContent: map[string]any{}}, `the structured content lacks "degrees"`},
		{"null", schema, mcp.CallToolResult{StructuredContent: json.RawMessage(`{"degrees":null}`)}, "`degrees` must have the type number; it has the type null."},
		{"in a list", listOf(schema), mcp.CallToolResult{StructuredContent: json.RawMessage(`{"days":[{"degrees":1},{"degrees":{"a":1}}]}`)}, "`days[].degrees` must have the type number; it has the type object."},
		{"a list", listOf(schema), mcp.CallToolResult{StructuredContent: json.RawMessage(`{"days":3}`)}, "`days` must have the type array or null; it has the type integer."},
		{"a value", listOf(schema), mcp.CallToolResult{StructuredContent: json.RawMessage(`{"kind":null}`)}, "`kind` does not fit the keyword `enum` of the schema."},
		{"nothing structured", schema, mcp.CallToolResult{}, "it has no structured content"},
		{"an error", schema, mcp.CallToolResult{IsError: true}, ""},
		{"no schema", nil, mcp.CallToolResult{}, ""},
		{"a schema that refers to itself", map[string]any{"$ref": "#"}, mcp.CallToolResult{StructuredContent: json.RawMessage(`{"a":1}`)}, ""},
		{"a schema with two recursions", twice, mcp.CallToolResult{StructuredContent: json.RawMessage(strings.Repeat(`{"a":`, 60) + "{}" + strings.Repeat("}", 60))}, ""},
		{"any structure", map[string]any{}, mcp.CallToolResult{}, "it has no structured content"},
		{"a schema that is none", map[string]any{"type": 5}, mcp.CallToolResult{}, ""},
	} {
		err := outputs.Check(&mcp.Tool{OutputSchema: c.schema}, &c.result)
		switch {
		case c.says == "" && (err != nil || len(c.result.Content) > 0):
			t.Errorf("%s: %v, %+v", c.name, err, c.result.Content)
		case err != nil && strings.Contains(err.Error(), "reflect"):
			t.Errorf("%s: %v has words of Go", c.name, err)
		case c.says != "" && (err == nil || !strings.Contains(c.result.Content[0].(*mcp.TextContent).Text, c.says)):
			t.Errorf("%s: %v, want %s", c.name, err, c.says)
		case c.says != "" && len(c.result.Content) != 1:
			t.Errorf("%s: %v, %+v", c.name, err, c.result.Content)
		}
	}
}

// listOf returns the schema of an object with a list of days.
func listOf(item any) any {
	return map[string]any{"type": "object", "properties": map[string]any{
		"days": map[string]any{"type": []any{"array", "null"}, "items": item}, "kind": map[string]any{"enum": []any{"a", "b"}},
	}}
}

// The reason for a failed result may be in any part of it.
func TestReasonOfAFailedResult(t *testing.T) {
	link, text := &mcp.ResourceLink{URI: "log://1", Name: "log"}, func(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }
	resource := &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "log://1", Text: "compile error: line 3"}}
	for _, c := range []struct {
		content    []mcp.Content
		structured any
		want       string
	}{
		{[]mcp.Content{resource}, nil, "compile error: line 3"},
		{[]mcp.Content{text("it failed"), resource}, nil, "it failed\ncompile error: line 3"},
		{nil, json.RawMessage(`{"code":"E42"}`), `{"code":"E42"}`},
		{[]mcp.Content{text("")}, json.RawMessage(`{"code":"E42"}`), `{"code":"E42"}`},
		{[]mcp.Content{text("it failed")}, json.RawMessage(`{"code":"E42"}`), "it failed"},
		{[]mcp.Content{link}, nil, noTextReason},
		{[]mcp.Content{text(" ")}, json.RawMessage("null"), NoReason},
		{nil, nil, NoReason},
	} {
		if got := Text(&mcp.CallToolResult{Content: c.content, StructuredContent: c.structured, IsError: true}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A result is checked against the new schema after a server redefines the tool.
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

// BenchmarkCheck measures the check of a result whose tool has an output schema.
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
