package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
)

// FormatJSON formats a value as indented JSON that decodes to the same value (seed 003, property
// 4). It does not escape characters that JSON usually escapes for browsers.
func FormatJSON(v any) string {
	data, err := exact.Encode(v)
	if err != nil {
		return fmt.Sprintf("%#v", v) // a channel or a cycle, which no JSON message contains
	}
	var b bytes.Buffer
	_ = json.Indent(&b, data, "", "  ") // fails only for invalid JSON
	return b.String()
}

// FormatResult formats a tool result for reading: text as it is, JSON text indented, and
// everything else as JSON. It omits the envelope only if the result consists of text alone, so
// nothing is lost.
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
	if hasOwnKeys(r.Meta) || len(texts) == 0 || r.StructuredContent != nil && !repetitionOf(r).all() {
		return FormatJSON(r)
	}
	return strings.Join(texts, "\n")
}

// indented indents text that is a JSON object or array. json.Indent changes only white space, so
// numbers and the order of members do not change.
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

// hasOwnKeys reports whether metadata has keys besides the protocol's own. The protocol's keys
// concern the exchange and are not part of the result.
func hasOwnKeys(meta mcp.Meta) bool {
	for k := range meta {
		if !strings.HasPrefix(k, "io.modelcontextprotocol/") {
			return true
		}
	}
	return false
}
