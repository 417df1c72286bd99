package geminitest

import (
	"encoding/json"
	"fmt"
	"slices"
)

// checkTypes requires that the type is a JSON Schema type, or a list of them.
func checkTypes(at string, node object) *failure {
	value, set := node["type"]
	if !set {
		return nil
	}
	types, ok := value.([]any)
	if !ok {
		types = []any{value}
	}
	if len(types) == 0 {
		return invalidField(at+".type", "must not be empty.")
	}
	for i, t := range types {
		if slices.Contains(types[:i], t) {
			return invalidField(at+".type", "type %v occurs twice.", t)
		}
		if !slices.Contains([]any{"string", "number", "integer", "boolean", "array", "object", "null"}, t) {
			return invalidField(at+".type", "unknown type %v.", t)
		}
	}
	return nil
}

// checkEnum requires that `enum` is "for strings and numbers", that it is not empty ("format:enum"
// needs values), and that it contains no empty string: "enum[0]: cannot be empty".
func checkEnum(at string, node object) *failure {
	value, set := node["enum"]
	if !set {
		if node["format"] == "enum" {
			return invalidField(at+".enum", "should be non-empty for the format enum.")
		}
		return nil
	}
	values, ok := value.([]any)
	if !ok || len(values) == 0 {
		return invalidField(at+".enum", "must be a list, and not empty.")
	}
	for i, v := range values {
		if v == "" {
			return invalidField(fmt.Sprintf("%s.enum[%d]", at, i), "cannot be empty")
		}
		switch v.(type) {
		case string, json.Number:
		default:
			return invalidField(fmt.Sprintf("%s.enum[%d]", at, i), "must be a string or a number.")
		}
	}
	return nil
}

// checkRequired applies the rule "required[0]: property is not defined".
func checkRequired(at string, node object) *failure {
	value, set := node["required"]
	if !set {
		return nil
	}
	names, ok := value.([]any)
	if !ok {
		return invalidField(at+".required", "must be a list.")
	}
	properties, hasProperties := node["properties"].(object)
	for i, name := range names {
		text, isText := name.(string)
		_, defined := properties[text]
		if !isText || hasProperties && !defined {
			return invalidField(fmt.Sprintf("%s.required[%d]", at, i), "property is not defined")
		}
	}
	return nil
}
