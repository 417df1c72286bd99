package contents

import (
	"encoding/json"
	"slices"
	"strings"

	"goated/internal/exact"
)

// maxWraps limits the nested objects with a single member around a value that a text repeats.
const maxWraps = 4

// Structure returns structured content as compact JSON if texts do not hold all of it, and
// otherwise an empty text.
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
// as a text too (2025-06-18, Tools, Structured Content). The Python SDK sends a list as one text
// for each element, and a value that is not an object as {"result": …}.
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

// Wholes returns the values of structured content that hold all of it: the value itself, and the
// only member of an object, as in {"result": …}, which may be such an object again.
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

// A reading is a text with the JSON value in it, which is decoded once.
type reading struct {
	text  string
	value any
	read  bool
}

// saysAll reports whether one text is a value, or each text is one element of a list.
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

// says reports whether a text is a value, as JSON or as a string. JSON may follow a few words.
func (r *reading) says(v any) bool {
	if v == any(nil) {
		return strings.TrimSpace(r.text) == "null"
	}
	if s, ok := v.(string); ok {
		return s == r.text || exact.Equal(v, r.decoded())
	}
	return exact.Equal(r.decoded(), v)
}

// decoded returns the value of a text that is JSON, or the object or list that follows
// words; nil for other texts.
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
