package view

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A repetition says which texts of a result repeat its structured content, and how to
// show them once. MCP asks servers to send structured content as text too (2025-06-18,
// Tools, Structured Content). The Python SDK sends a list as one text for each element,
// and as structured content {"result": […]}.
type repetition struct {
	folded map[int]bool // the indices of the texts that repeat it
	text   string       // the value as the server wrote it, with its order of members
}

// none reports whether no text repeats the structured content.
func (r repetition) none() bool { return len(r.folded) == 0 }

// repetitionOf compares the texts of a result with its structured content. Without
// structured content, it joins texts that are JSON objects into one list: servers send
// a list of records in this form too.
func repetitionOf(r *mcp.CallToolResult) repetition {
	at, texts := plainTexts(r.Content)
	if r.StructuredContent == nil {
		if len(texts) > 1 && allObjects(texts) {
			return repetition{folded: at, text: "[" + strings.Join(texts, ",\n") + "]"}
		}
		return repetition{}
	}
	structured := r.StructuredContent
	if raw, ok := structured.(json.RawMessage); ok {
		structured, _ = parse(string(raw))
	}
	values := []any{structured}
	if m, ok := structured.(map[string]any); ok && len(m) == 1 {
		for _, v := range m {
			values = append(values, v)
		}
	}
	for _, v := range values {
		if len(texts) == 1 && says(texts[0], v) {
			return repetition{folded: at, text: texts[0]}
		}
	}
	for _, v := range values {
		if list, ok := v.([]any); ok && len(list) > 0 && sayAll(texts, list) {
			return repetition{folded: at, text: joined(texts, list)}
		}
	}
	return repetition{}
}

// plainTexts returns the texts without annotations, and their indices.
func plainTexts(content []mcp.Content) (at map[int]bool, texts []string) {
	at = make(map[int]bool)
	for i, c := range content {
		if t, ok := c.(*mcp.TextContent); ok && len(t.Meta) == 0 && t.Annotations == nil {
			at[i] = true
			texts = append(texts, t.Text)
		}
	}
	return at, texts
}

// says reports whether a text is v, as JSON or as a string.
func says(text string, v any) bool {
	if v == any(text) {
		return true
	}
	said, ok := parse(text)
	return ok && equal(v, said)
}

func sayAll(texts []string, list []any) bool {
	if len(texts) != len(list) {
		return false
	}
	for i, v := range list {
		if !says(texts[i], v) {
			return false
		}
	}
	return true
}

// joined writes texts that are the elements of list as one JSON list.
func joined(texts []string, list []any) string {
	elements := make([]string, len(texts))
	for i, text := range texts {
		elements[i] = text
		if list[i] == any(text) {
			elements[i] = FormatJSON(text)
		}
	}
	return "[" + strings.Join(elements, ",\n") + "]"
}

func allObjects(texts []string) bool {
	for _, text := range texts {
		if !strings.HasPrefix(strings.TrimSpace(text), "{") || !json.Valid([]byte(text)) {
			return false
		}
	}
	return true
}
