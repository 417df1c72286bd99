// Package form reads a JSON schema as a list of fields, and parses the user's input
// into values of the schema. It is pure, and knows neither widgets nor servers.
package form

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"goated/internal/exact"
	"goated/internal/safetext"
)

// A Kind says which input a field needs.
type Kind int

// The kinds of field.
const (
	Text Kind = iota
	LongText
	Number
	Integer
	Toggle
	Choice
	MultiChoice
	JSON // any other type; the user writes JSON
)

// An Option is one value of a Choice or MultiChoice.
type Option struct {
	Label string
	Value any
}

// A Field is one member of the object that the form returns.
type Field struct {
	Name     string
	Label    string
	Help     string
	Kind     Kind
	Required bool
	Default  any // in the member's type; nil if there is none
	Choices  []Option
	Secret   bool // it looks like a password or a key: what the user types is not shown

	optional string // the JSON type; Parse uses it to tell "" from no value
	minimum  *limit
	maximum  *limit
}

// maxOptions is the most values that become a choice. With more, the user types
// one.
const maxOptions = 500

// Fields returns the members of an object's JSON schema: first the required ones in
// the schema's order, then the others by name. A schema of another type has no
// fields. A schema that is not JSON is an error.
func Fields(schema any) ([]Field, error) {
	var root struct {
		Properties map[string]map[string]any `json:"properties"`
		Required   []string                  `json:"required"`
	}
	data, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("reading the form's schema: %w", err)
	}
	if err := exact.Decode(data, &root); err != nil {
		return nil, fmt.Errorf("reading the form's schema: %w", err)
	}
	required := make(map[string]bool, len(root.Required))
	var names []string
	for _, n := range root.Required {
		if root.Properties[n] != nil && !required[n] {
			required[n] = true
			names = append(names, n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(root.Properties)) {
		if !required[n] {
			names = append(names, n)
		}
	}
	fields := make([]Field, 0, len(names))
	for _, n := range names {
		f := field(n, root.Properties[n])
		f.Required = required[n]
		fields = append(fields, f)
	}
	return fields, nil
}

func field(name string, p map[string]any) Field {
	f := Field{Name: name, Label: name, Default: p["default"]}
	if title, ok := p["title"].(string); ok && title != "" {
		f.Label = title
	}
	f.Label = safetext.Name(f.Label)
	f.Help, _ = p["description"].(string)
	f.Help = safetext.Cut(strings.Join(strings.Fields(f.Help), " "), maxHelp)
	f.Secret = isSecret(name, p)
	f.minimum, f.maximum = limitOf(p["minimum"]), limitOf(p["maximum"])
	f.optional = schemaType(p)
	switch f.optional {
	case "string":
		f.Kind = Text
		if max := limitOf(p["maxLength"]); max != nil && max.value.Cmp(big.NewRat(200, 1)) > 0 || longName(name) {
			f.Kind = LongText
		}
	case "number":
		f.Kind = Number
	case "integer":
		f.Kind = Integer
	case "boolean":
		f.Kind = Toggle
	case "array":
		f.Kind = JSON
		if items, ok := p["items"].(map[string]any); ok {
			if choices := options(items); len(choices) > 0 {
				f.Kind, f.Choices = MultiChoice, choices
			}
		}
	default:
		f.Kind = JSON
	}
	if choices := options(p); len(choices) > 0 {
		f.Kind, f.Choices = Choice, choices
	}
	if f.Secret && f.Kind == LongText {
		f.Kind = Text // only a field of one line can hide what is typed
	}
	return f
}

// maxHelp bounds the explanation of a field, in characters.
const maxHelp = 500

// longName reports whether a text of this name usually has several lines.
func longName(name string) bool {
	switch strings.ToLower(name) {
	case "content", "contents", "text", "body", "message", "code", "prompt", "query", "script":
		return true
	}
	return false
}

// options returns the values that a schema allows: an enum, with or without
// enumNames, or a oneOf or anyOf of titled constants (MCP, Elicitation).
func options(p map[string]any) []Option {
	var out []Option
	for _, key := range []string{"enum", "oneOf", "anyOf"} {
		if values, ok := p[key].([]any); ok && len(values) > maxOptions {
			return nil
		}
	}
	if values, ok := p["enum"].([]any); ok {
		labels, _ := p["enumNames"].([]any)
		for i, v := range values {
			o := Option{Label: fmt.Sprint(v), Value: v}
			if i < len(labels) {
				o.Label = fmt.Sprint(labels[i])
			}
			out = append(out, o)
		}
		return out
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		branches, _ := p[key].([]any)
		for _, b := range branches {
			m, _ := b.(map[string]any)
			v, ok := m["const"]
			if !ok {
				return nil
			}
			o := Option{Label: fmt.Sprint(v), Value: v}
			if title, ok := m["title"].(string); ok {
				o.Label = title
			}
			out = append(out, o)
		}
	}
	return out
}

// schemaType returns the JSON type of a property. It ignores null in a list of
// types and in anyOf, and is empty if several types remain.
func schemaType(p map[string]any) string {
	switch t := p["type"].(type) {
	case string:
		return t
	case []any:
		var kept []string
		for _, k := range t {
			if s, ok := k.(string); ok && s != "null" {
				kept = append(kept, s)
			}
		}
		if len(kept) == 1 {
			return kept[0]
		}
		return ""
	}
	if branches, ok := p["anyOf"].([]any); ok {
		var kept []string
		for _, b := range branches {
			if m, ok := b.(map[string]any); ok {
				if s := schemaType(m); s != "null" {
					kept = append(kept, s)
				}
			}
		}
		if len(kept) == 1 {
			return kept[0]
		}
	}
	return ""
}
