package geminitest

import (
	"fmt"
	"slices"
)

// checkTypes: the type is a JSON Schema type, or a list of them.
func checkTypes(at string, node object) *failure {
	value, set := node["type"]
	if !set {
		return nil
	}
	types, ok := value.([]any)
	if !ok {
		types = []any{value}
	}
	for _, t := range types {
		if !slices.Contains([]any{"string", "number", "integer", "boolean", "array", "object", "null"}, t) {
			return invalidField(at+".type", "unknown type %v.", t)
		}
	}
	return nil
}

// checkEnum: `enum` is "for strings and numbers".
func checkEnum(at string, node object) *failure {
	value, set := node["enum"]
	if !set {
		return nil
	}
	values, ok := value.([]any)
	if !ok {
		return invalidField(at+".enum", "must be a list.")
	}
	for i, v := range values {
		switch v.(type) {
		case string, float64:
		default:
			return invalidField(fmt.Sprintf("%s.enum[%d]", at, i), "must be a string or a number.")
		}
	}
	return nil
}

// checkRequired: "required[0]: property is not defined".
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
