package fields

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"goated/internal/safetext"
)

// typesOf returns the JSON types of a value, without null. If a schema names no type, its
// keywords determine the type.
func typesOf(p map[string]any) (types []string, null bool) {
	add := func(t string) {
		switch {
		case t == "null":
			null = true
		case t != "" && !slices.Contains(types, t):
			types = append(types, t)
		}
	}
	switch t := p["type"].(type) {
	case string:
		add(t)
	case []any:
		for _, k := range t {
			s, _ := k.(string)
			add(s)
		}
	case nil:
		if _, ok := p["properties"].(map[string]any); ok {
			add("object")
		}
		for _, key := range []string{"anyOf", "oneOf"} {
			branches, _ := p[key].([]any)
			for _, b := range branches {
				m, _ := b.(map[string]any)
				inner, n := typesOf(m)
				null = null || n
				for _, t := range inner {
					add(t)
				}
			}
		}
	}
	return types, null
}

// only returns the only JSON type of a field, or "" if the field has several types or none.
func (f Field) only() string {
	if len(f.types) == 1 {
		return f.types[0]
	}
	return ""
}

// options returns the values that a schema allows. They are a constant, an enum with or without
// enumNames, or a oneOf or anyOf of titled constants (MCP, Elicitation). Null is not an option:
// the user leaves the field empty instead.
func options(p map[string]any) []Option { return distinct(allowed(p)) }

// maxOption limits the length of an option's label, in characters.
const maxOption = 200

// distinct makes the labels of options readable and unique. A server could use the same label for
// two values, or the label of one value for another.
func distinct(all []Option) []Option {
	count := make(map[string]int, len(all))
	for i := range all {
		all[i].Label = safetext.Cut(all[i].Label, maxOption)
		count[all[i].Label]++
	}
	taken := make(map[string]bool, len(all))
	for i, o := range all {
		if count[o.Label] > 1 || o.Label == "" {
			o.Label = strings.TrimSpace(o.Label + " (" + safetext.Cut(fmt.Sprint(o.Value), maxOption) + ")")
		}
		for base, n := o.Label, 2; taken[o.Label]; n++ {
			o.Label = fmt.Sprintf("%s (%d)", base, n)
		}
		taken[o.Label] = true
		all[i] = o
	}
	return all
}

// allowed returns the values that a schema allows, with the schema's labels.
func allowed(p map[string]any) []Option {
	var out []Option
	for _, key := range []string{"enum", "oneOf", "anyOf"} {
		if values, ok := p[key].([]any); ok && len(values) > maxOptions {
			return nil
		}
	}
	if v, ok := p["const"]; ok && v != nil {
		return []Option{{Label: fmt.Sprint(v), Value: v}}
	}
	if values, ok := p["enum"].([]any); ok {
		labels, _ := p["enumNames"].([]any)
		for i, v := range values {
			if v == nil {
				continue
			}
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
			switch {
			case m["type"] == "null":
				continue
			case !ok:
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

// example returns a value of a schema with a placeholder for each member. An empty field for JSON
// shows it.
func example(p map[string]any, types []string) string {
	if list, ok := p["examples"].([]any); ok && len(list) > 0 {
		if data, err := json.Marshal(list[0]); err == nil && len(data) < 200 {
			return safetext.Escape(string(data))
		}
	}
	if len(types) == 0 {
		return ""
	}
	switch types[0] {
	case "array":
		return "[]"
	case "object":
		properties, _ := p["properties"].(map[string]any)
		names := slices.Sorted(maps.Keys(properties))
		for i, n := range names[:min(len(names), 6)] {
			names[i] = fmt.Sprintf("%q: …", safetext.Name(n))
		}
		return "{" + strings.Join(names[:min(len(names), 6)], ", ") + "}"
	}
	return ""
}
