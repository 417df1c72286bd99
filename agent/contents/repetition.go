package contents

import (
	"encoding/json"
	"slices"
	"strings"

	"goated/internal/exact"
)

// maxWraps limits how many nested single-member objects around a value are unwrapped.
const maxWraps = 4

// Structure returns structured content as compact JSON, or "" if texts already contain all of it.
func Structure(texts []string, structured any) string {
	if structured == nil {
		return ""
	}
	data, err := exact.Encode(structured)
	if err != nil || string(data) == "null" || containsStructured(texts, data) {
		return ""
	}
	return string(data)
}

// containsStructured reports whether texts contain all of the structured content. MCP asks servers to send it
// as text, too (2025-06-18, Tools, Structured Content). The Python SDK sends a list as one text for
// each element, and a value that is not an object as {"result": …}.
func containsStructured(texts []string, structured []byte) bool {
	if len(texts) == 0 {
		return false
	}
	if slices.Contains(texts, string(structured)) {
		return true
	}
	var v any
	if exact.Decode(structured, &v) != nil {
		return false
	}
	said := make([]textValue, len(texts))
	for i, text := range texts {
		said[i].text = text
	}
	return slices.ContainsFunc(WholeValues(v), func(v any) bool { return equalsAny(said, v) })
}

// WholeValues returns the values that contain all of structured content: the value itself and, if it is
// an object with a single member, as in {"result": …}, the value of that member. It unwraps nested
// objects in the same way.
func WholeValues(structured any) []any {
	all := []any{structured}
	for len(all) <= maxWraps {
		m, ok := all[len(all)-1].(map[string]any)
		if !ok || len(m) != 1 {
			break
		}
		for _, only := range m {
			all = append(all, only)
		}
	}
	return all
}

// A textValue is a text and the JSON value in it. It decodes the value once.
type textValue struct {
	text  string
	value any
	read  bool
}

// equalsAny reports whether one of the texts equals v, or whether v is a list and each text equals
// one element.
func equalsAny(said []textValue, v any) bool {
	for i := range said {
		if said[i].equals(v) {
			return true
		}
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 || len(list) != len(said) {
		return false
	}
	for i := range said {
		if !said[i].equals(list[i]) {
			return false
		}
	}
	return true
}

// equals reports whether the text equals v, as JSON or as a string. Words may precede the JSON.
func (r *textValue) equals(v any) bool {
	if v == any(nil) {
		return strings.TrimSpace(r.text) == "null"
	}
	if s, ok := v.(string); ok {
		return s == r.text || exact.Equal(v, r.decoded())
	}
	return exact.Equal(r.decoded(), v)
}

// decoded returns the JSON value of the text. If words precede it, decoded finds only an object or
// a list. It returns nil for other texts.
func (r *textValue) decoded() any {
	if r.read {
		return r.value
	}
	r.read = true
	if exact.Decode([]byte(r.text), &r.value) == nil {
		return r.value
	}
	r.value = nil
	if i := strings.IndexAny(r.text, "{["); i >= 0 {
		d := json.NewDecoder(strings.NewReader(r.text[i:]))
		d.UseNumber()
		if d.Decode(&r.value) != nil {
			r.value = nil
		}
	}
	return r.value
}
