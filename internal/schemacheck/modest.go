package schemacheck

import "slices"

// A role is the role of a part of a schema.
type role int

const (
	schema role = iota // a schema, or a list of them
	named              // an object that maps names of the server's choice to schemas
	data               // a value, such as an example
)

// in returns the role of a member in a part with the role r.
func (r role) in(member string) role {
	switch r {
	case named:
		return schema
	case data:
		return data
	}
	switch member {
	case "default", "examples", "enum", "const":
		return data
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return named
	}
	return schema
}

// modest reports whether a schema is within the limits and uses only JSON's types. It visits at
// most maxVisits values.
func modest(root any) bool {
	visits := 0
	var visit func(v any, is role, depth int) bool
	visit = func(v any, is role, depth int) bool {
		if visits++; visits > maxVisits || depth > maxNested {
			return false
		}
		switch v := v.(type) {
		case map[string]any:
			if is == schema && !plain(v) {
				return false
			}
			for name, child := range v {
				if !visit(child, is.in(name), depth+1) {
					return false
				}
			}
		case []any:
			for _, child := range v {
				if !visit(child, is, depth+1) {
					return false
				}
			}
		}
		return true
	}
	return visit(root, schema, 0)
}

// plain reports whether one schema uses only JSON's types and short patterns.
func plain(m map[string]any) bool {
	if !known(m["type"]) {
		return false
	}
	if p, ok := m["pattern"].(string); ok && len(p) > maxPattern {
		return false
	}
	members, _ := m["patternProperties"].(map[string]any)
	for p := range members {
		if len(p) > maxPattern {
			return false
		}
	}
	return true
}

// known reports whether a type, or each type in a list, is one of JSON's. The library accepts any
// word as a type.
func known(typ any) bool {
	words, ok := typ.([]any)
	if !ok {
		words = []any{typ}
	}
	for _, word := range words {
		if text, ok := word.(string); ok && !slices.Contains(types, text) {
			return false
		}
	}
	return true
}

// types lists JSON's types.
var types = []string{"string", "number", "integer", "boolean", "array", "object", "null"}
