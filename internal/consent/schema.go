package consent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// describe returns a short description of the values that a schema accepts.
func describe(raw json.RawMessage, required bool) string {
	var s struct {
		Type             any               `json:"type"`
		Enum             []json.RawMessage `json:"enum"`
		Const            json.RawMessage   `json:"const"`
		Format           string            `json:"format"`
		Pattern          string            `json:"pattern"`
		Minimum          *json.Number      `json:"minimum"`
		Maximum          *json.Number      `json:"maximum"`
		ExclusiveMinimum *json.Number      `json:"exclusiveMinimum"`
		ExclusiveMaximum *json.Number      `json:"exclusiveMaximum"`
		MaxLength        *json.Number      `json:"maxLength"`
		Default          json.RawMessage   `json:"default"`
		Description      string            `json:"description"`
	}
	if raw == nil {
		return ""
	}
	if json.Unmarshal(raw, &s) != nil {
		return compact(raw)
	}
	words := []string{typeWords(s.Type)}
	if len(s.Enum) > 0 {
		var values []string
		for _, v := range s.Enum {
			values = append(values, compact(v))
		}
		words[0] = "one of " + strings.Join(values, ", ")
	} else if s.Const != nil {
		words[0] = "always " + compact(s.Const)
	}
	if s.Format != "" {
		words = append(words, s.Format)
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		words = append(words, fmt.Sprintf("%s to %s", *s.Minimum, *s.Maximum))
	case s.Minimum != nil:
		words = append(words, fmt.Sprintf("at least %s", *s.Minimum))
	case s.Maximum != nil:
		words = append(words, fmt.Sprintf("at most %s", *s.Maximum))
	}
	if s.ExclusiveMinimum != nil {
		words = append(words, fmt.Sprintf("more than %s", *s.ExclusiveMinimum))
	}
	if s.ExclusiveMaximum != nil {
		words = append(words, fmt.Sprintf("less than %s", *s.ExclusiveMaximum))
	}
	if s.MaxLength != nil {
		words = append(words, fmt.Sprintf("at most %s characters", *s.MaxLength))
	}
	if s.Pattern != "" {
		words = append(words, "like "+s.Pattern)
	}
	if s.Default != nil {
		words = append(words, "else "+compact(s.Default))
	} else if !required {
		words = append(words, "optional")
	}
	out := strings.Join(words, ", ")
	if s.Description != "" {
		out += ": " + s.Description
	}
	return out
}

// typeWords returns a readable name of a schema's type.
func typeWords(t any) string {
	switch t := t.(type) {
	case string:
		if word, ok := map[string]string{"string": "text", "integer": "whole number", "boolean": "yes or no", "array": "list"}[t]; ok {
			return word
		}
		return t
	case []any:
		var words []string
		for _, v := range t {
			if v != "null" {
				words = append(words, typeWords(v))
			}
		}
		return strings.Join(words, " or ")
	}
	return "any value"
}

// withoutWords returns a schema without the keywords that only explain it. A property may have the
// name of such a keyword, so it distinguishes keywords from property names.
func withoutWords(raw json.RawMessage) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	data, err := json.Marshal(stripped(v))
	if err != nil {
		return raw
	}
	return data
}

// The keywords of JSON Schema that only explain, those whose values map names to schemas, and those
// whose values are literals. withoutWords treats every other value as a schema.
var (
	textKeywords    = []string{"title", "description", "$comment", "examples"}
	nameMapKeywords = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	valueKeywords   = []string{"default", "enum", "const", "required"}
)

func stripped(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = stripped(v[i])
		}
	case map[string]any:
		for key, value := range v {
			members, isMap := value.(map[string]any)
			switch {
			case slices.Contains(textKeywords, key):
				delete(v, key)
			case slices.Contains(valueKeywords, key):
			case slices.Contains(nameMapKeywords, key) && isMap:
				for name := range members {
					members[name] = stripped(members[name])
				}
			default:
				v[key] = stripped(value)
			}
		}
	}
	return v
}
