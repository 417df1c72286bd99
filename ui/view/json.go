package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// FormatJSON writes a value as indented JSON that reads back as the same value
// (seed 003, property 4). Text that JSON usually escapes for browsers stays
// readable.
func FormatJSON(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Sprintf("%#v", v) // a channel or a cycle, which no JSON message holds
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// FormatResult writes what a tool answered, for reading: texts as they are,
// texts that are JSON indented, and everything else as JSON. Only a result of
// texts alone is shown without its envelope, so nothing of it is lost.
func FormatResult(r *mcp.CallToolResult) string {
	if r == nil {
		return ""
	}
	var texts []string
	for _, c := range r.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok || len(t.Meta) > 0 || t.Annotations != nil {
			return FormatJSON(r)
		}
		texts = append(texts, indented(t.Text))
	}
	if len(r.Meta) > 0 || len(texts) == 0 || r.StructuredContent != nil && !same(r.StructuredContent, r.Content) {
		return FormatJSON(r)
	}
	return strings.Join(texts, "\n")
}

// indented indents text that is a JSON object or array. json.Indent changes
// nothing but space, so numbers and the order of members stay as they were.
func indented(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(trimmed), "", "  ") != nil {
		return text
	}
	return b.String()
}

// same reports whether structured content says just what the one text says.
// The Python SDK wraps a plain return value as {"result": value}.
func same(structured any, content []mcp.Content) bool {
	if len(content) != 1 {
		return false
	}
	t, ok := content[0].(*mcp.TextContent)
	if !ok {
		return false
	}
	if m, ok := structured.(map[string]any); ok && len(m) == 1 && m["result"] != nil {
		if m["result"] == t.Text {
			return true
		}
		structured = m["result"]
	}
	var said any
	if json.Unmarshal([]byte(t.Text), &said) != nil {
		return false
	}
	a, errA := json.Marshal(said)
	b, errB := json.Marshal(structured)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
