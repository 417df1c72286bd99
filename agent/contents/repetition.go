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
	if err != nil || string(data) == "null" || repeats(texts, data) {
		return ""
	}
	return string(data)
}

// repeats reports whether texts contain all of the structured content. MCP asks servers to send it
// as text, too (2025-06-18, Tools, Structured Content). The Python SDK sends a list as one text for
// each element, and a value that is not an object as {"result": …}.
func repeats(texts []string, structured []byte) bool {
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
	said := make([]reading, len(texts))
	for i, text := range texts {
		said[i].text = text
	}
	return slices.ContainsFunc(Wholes(v), func(v any) bool { return saysAll(said, v) })
}

// Wholes returns the values that contain all of structured content: the value itself and, if it is
// an object with a single member, as in {"result": …}, the value of that member. It unwraps nested
// objects in the same way.
func Wholes(structured any) []any {
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

// A reading is a text and the JSON value in it. It decodes the value once.
type reading struct {
	text  string
	value any
	read  bool
}

// saysAll reports whether one of the texts equals v, or whether v is a list and each text equals
// one element.
func saysAll(said []reading, v any) bool {
	for i := range said {
		if said[i].says(v) {
			return true
		}
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 || len(list) != len(said) {
		return false
	}
	for i := range said {
		if !said[i].says(list[i]) {
			return false
		}
	}
	return true
}

// says reports whether the text equals v, as JSON or as a string. Words may precede the JSON.
func (r *reading) says(v any) bool {
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
func (r *reading) decoded() any {
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
