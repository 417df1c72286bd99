// Package arguments describes in sentences what is wrong with the arguments of a bundled server's
// tool. Both models and users read these errors, and the errors of the schema library contain
// keywords and JSON pointers instead.
//
// It owns the sentences. It must not know servers or tools.
package arguments

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"goated/internal/enumeration"
	"goated/internal/truncate"
)

// These limit an error: the number of sentences, the bytes of a name from the caller, and the
// number of known names.
const (
	maxFaults = 3
	maxName   = 60
	maxKnown  = 20
)

// Check returns an error if a call's arguments, which are JSON, do not fit the schema. It handles
// the keywords that bundled servers use. The caller must check others.
func Check(schema *jsonschema.Schema, raw json.RawMessage) error {
	var value any = map[string]any{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &value); err != nil {
			return sentences("The arguments are not JSON.")
		}
	}
	return Value(schema, "", value)
}

// Value returns an error if one argument, a decoded JSON value, does not fit the schema. An empty
// name means all arguments together.
func Value(schema *jsonschema.Schema, name string, value any) error {
	var f faults
	f.check(schema, name, value)
	if len(f) == 0 {
		return nil
	}
	return sentences(strings.Join(f[:min(len(f), maxFaults)], " "))
}

// sentences is an error that consists of whole sentences.
type sentences string

func (s sentences) Error() string { return string(s) }

// faults collects sentences.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

func (f *faults) check(s *jsonschema.Schema, name string, value any) {
	if s == nil {
		return
	}
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	if len(types) > 0 && !slices.ContainsFunc(types, func(t string) bool { return has(value, t) }) {
		words := make([]string, len(types))
		for i, t := range types {
			words[i] = phrases[t]
		}
		got := phrases[typeOf(value)]
		if n, ok := value.(float64); ok {
			got = plain(n)
		}
		f.add("%s must be %s, not %s.", subject(name), enumeration.Or(words), got)
		return
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return reflect.DeepEqual(e, value) }) {
		got := fmt.Sprint(value)
		if text, ok := value.(string); ok {
			got = quote(text)
		}
		f.add("%s must be %s, not %s.", subject(name), enumeration.Or(s.Enum), got)
		return
	}
	switch v := value.(type) {
	case float64:
		f.bounds(s, name, v)
	case string:
		f.size(name, utf8.RuneCountInString(v), s.MinLength, s.MaxLength, "character")
	case []any:
		f.size(name, len(v), s.MinItems, s.MaxItems, "item")
		for i, e := range v {
			f.check(s.Items, fmt.Sprintf("%s[%d]", name, i), e)
		}
	case map[string]any:
		f.members(s, name, v)
	}
}

func (f *faults) bounds(s *jsonschema.Schema, name string, n float64) {
	switch {
	case s.Minimum != nil && n < *s.Minimum:
		f.add("%s must be at least %s.", subject(name), plain(*s.Minimum))
	case s.Maximum != nil && n > *s.Maximum:
		f.add("%s must be at most %s.", subject(name), plain(*s.Maximum))
	}
}

func plain(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

func (f *faults) size(name string, n int, least, most *int, unit string) {
	bound, limit := "least", least
	switch {
	case least != nil && n < *least:
	case most != nil && n > *most:
		bound, limit = "most", most
	default:
		return
	}
	if *limit != 1 {
		unit += "s"
	}
	f.add("%s must have at %s %d %s.", subject(name), bound, *limit, unit)
}

// members checks an object. The order of the sentences does not depend on the order of map keys.
func (f *faults) members(s *jsonschema.Schema, name string, object map[string]any) {
	var missing, unknown []string
	for _, r := range s.Required {
		if _, ok := object[r]; !ok {
			missing = append(missing, r)
		}
	}
	if len(missing) > 0 {
		*f = append(*f, Missing(name, missing...))
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		inner, known := s.Properties[key]
		switch {
		case known:
			f.check(inner, strings.TrimPrefix(name+"."+key, "."), object[key])
		case s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil: // other names are not allowed
			unknown = append(unknown, key)
		default:
			f.check(s.AdditionalProperties, strings.TrimPrefix(name+"."+truncate.Bytes(key, maxName), "."), object[key])
		}
	}
	if len(unknown) > 0 {
		*f = append(*f, Unknown(name, unknown, slices.Sorted(maps.Keys(s.Properties))))
	}
}

// Missing returns a sentence about missing members of an object. An empty object means the
// arguments themselves.
func Missing(object string, names ...string) string {
	noun, of := member(object)
	if len(names) == 1 {
		return fmt.Sprintf("The %s %s%s is missing.", noun, quote(names[0]), of)
	}
	return fmt.Sprintf("The %ss %s%s are missing.", noun, enumeration.And(quoted(names)), of)
}

// Unknown returns a sentence about unknown members of an object, with the known ones. object is as
// for [Missing].
func Unknown(object string, names, known []string) string {
	noun, of := member(object)
	text := fmt.Sprintf("There is no %s %s%s.", noun, enumeration.Or(quoted(names[:min(len(names), maxFaults)])), of)
	if len(known) > 0 && len(known) <= maxKnown {
		text += fmt.Sprintf(" Known: %s.", enumeration.And(known))
	}
	return text
}

// member returns the noun for a member of an object, and a phrase with the object's name.
func member(object string) (noun, of string) {
	if object == "" {
		return "argument", ""
	}
	return "field", " of " + object
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = quote(n)
	}
	return out
}

func subject(name string) string {
	if name == "" {
		return "The value of arguments"
	}
	return name
}

func quote(name string) string { return strconv.Quote(truncate.Bytes(name, maxName)) }

// phrases describes the types of JSON in words.
var phrases = map[string]string{
	"string": "a text", "number": "a number", "integer": "a whole number", "boolean": "true or false",
	"array": "a list", "object": "an object", "null": "null",
}

func typeOf(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "null"
}

func has(value any, kind string) bool {
	if n, ok := value.(float64); ok && kind == "integer" {
		return n == float64(int64(n))
	}
	return typeOf(value) == kind
}
