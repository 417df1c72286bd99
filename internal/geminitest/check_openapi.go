package geminitest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkOpenAPI applies the rules for the OpenAPI form of a schema. decode has already refused
// unknown keywords and lists of types.
func checkOpenAPI(at string, s *schema) *failure {
	if s == nil {
		return nil
	}
	kind := strings.ToUpper(s.Type)
	if f := checkType(at, kind, s); f != nil {
		return f
	}
	if f := checkOpenAPI(at+".items", s.Items); f != nil {
		return f
	}
	for i := range s.AnyOf {
		if f := checkOpenAPI(fmt.Sprintf("%s.any_of[%d]", at, i), &s.AnyOf[i]); f != nil {
			return f
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if f := checkOpenAPI(fmt.Sprintf("%s.properties[%s]", at, name), &property); f != nil {
			return f
		}
	}
	return nil
}

// checkType requires a known type with the keywords that it needs: "should be non-empty for OBJECT
// type", "items: missing field", "enum: only allowed for STRING type", "required[0]: property is
// not defined".
func checkType(at, kind string, s *schema) *failure {
	kinds := []string{"", "TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"}
	switch {
	case !slices.Contains(kinds, kind):
		return invalid("Invalid value at '%s.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), %q",
			at, s.Type)
	case kind == "OBJECT" && len(s.Properties) == 0:
		return invalidField(at+".properties", "should be non-empty for OBJECT type")
	case kind == "ARRAY" && s.Items == nil:
		return invalidField(at+".items", "missing field.")
	case len(s.Enum) > 0 && kind != "STRING":
		return invalidField(at+".enum", "only allowed for STRING type")
	case slices.Contains(s.Enum, ""):
		return invalidField(fmt.Sprintf("%s.enum[%d]", at, slices.Index(s.Enum, "")), "cannot be empty")
	case kind == "STRING" && !slices.Contains([]string{"", "enum", "date-time"}, s.Format):
		return invalidField(at+".format", "only 'enum' and 'date-time' are supported for STRING type")
	case s.Format == "enum" && len(s.Enum) == 0:
		return invalidField(at+".enum", "should be non-empty for the format enum.")
	case s.Items != nil && kind != "ARRAY":
		return invalidField(at+".items", "field predicate failed: $type == Type.ARRAY")
	case len(s.Properties) > 0 && kind != "OBJECT":
		return invalidField(at+".properties", "only allowed for OBJECT type")
	case len(s.AnyOf) > 0 && (kind != "" || s.Description != "" || len(s.Enum) > 0):
		return invalidField(at+".any_of", "when using any_of, it must be the only field set.")
	}
	for i, name := range s.Required {
		if _, defined := s.Properties[name]; !defined {
			return invalidField(fmt.Sprintf("%s.required[%d]", at, i), "property is not defined")
		}
	}
	return nil
}
