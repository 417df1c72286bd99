package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
)

// FormatJSON writes a value as indented JSON that reads back as the same value
// (seed 003, property 4). Text that JSON usually escapes for browsers stays
// readable.
func FormatJSON(v any) string {
	data, err := exact.Encode(v)
	if err != nil {
		return fmt.Sprintf("%#v", v) // a channel or a cycle, which no JSON message holds
	}
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", "  ") // fails for invalid JSON only
	return b.String()
}

// FormatResult writes a tool result for reading: text as it is, JSON text indented,
// everything else as JSON. It leaves out the envelope only if the result is text
// alone, so nothing is lost.
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
	if foreign(r.Meta) || len(texts) == 0 || r.StructuredContent != nil && !repetitionOf(r).all() {
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

func parse(text string) (any, bool) {
	var v any
	err := exact.Decode([]byte(text), &v)
	return v, err == nil
}

// foreign reports whether metadata has keys other than the protocol's own. Those
// concern the exchange and are not part of the result.
func foreign(meta mcp.Meta) bool {
	for k := range meta {
		if !strings.HasPrefix(k, "io.modelcontextprotocol/") {
			return true
		}
	}
	return false
}
