// Package fields converts a JSON schema to the fields of a form, including nested fields, and
// parses the user's input into values of the schema. It owns the rules of a field. It must not
// depend on widgets, which are in ui/form, or on servers.
package fields

import (
	"encoding/json"
	"fmt"

	"goated/internal/schemacheck"
)

// A Kind determines which input a field needs.
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
	Date
	Time
	Moment // a date with a time
	Group  // an object with members
	List   // contains any number of items
	JSON   // any other type; the user writes JSON
)

// An Option is one value of a Choice or MultiChoice.
type Option struct {
	Label string
	Value any
}

// A Field is one value of the object that a form returns. The zero value is an optional text. A
// Field is read-only and safe for concurrent use.
type Field struct {
	Name     string // empty for an item of a List
	Label    string
	Help     string
	Kind     Kind
	Required bool
	Default  any // a value of the member's type; nil if there is none
	Choices  []Option
	Secret   bool    // it looks like a password or a key, so the form hides the input
	Members  []Field // the fields of a Group
	Item     *Field  // the field of each item of a List
	Range    Range   // the range of a Number or an Integer

	types    []string // the JSON types, without null; Parse uses them to distinguish "" from no value
	nullable bool
	rules    rules
	example  string // for a JSON field: a value with its members
}

// The limits of a form. Beyond them, a field is an input for JSON. An object has at most
// maxFields fields, so that a server's schema cannot create an endless form. [Missing] counts the
// fields that are omitted.
const (
	maxOptions = 500 // with more values, the user types one
	maxFields  = 400
	maxNested  = 8
)

// FromSchema returns the members of an object's JSON schema. If the schema is a [json.RawMessage], the
// members have the order of the schema. Otherwise the required members come first, in the order
// of "required", and then the others by name. FromSchema follows references within the schema. A
// recursive reference becomes a field for JSON. If the schema has alternatives, FromSchema returns the
// members of all of them, and those of an alternative are optional. A schema of another type has
// no fields. A schema that is not JSON is an error.
func FromSchema(document any) ([]Field, error) {
	data, err := json.Marshal(document)
	if err != nil {
		return nil, fmt.Errorf("reading the form's schema: %w", err)
	}
	parsed, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("reading the form's schema: %w", err)
	}
	r := &reader{find: schemacheck.References(parsed.root), left: maxFields}
	if _, source := document.(json.RawMessage); source {
		r.written = parsed.sortAsWritten
	}
	n := r.resolve(parsed.root, nil)
	return r.members(r.united(n), n.open), nil
}

// Missing returns how many members of an object's JSON schema have no field because there are too
// many.
func Missing(document any) int {
	data, err := json.Marshal(document)
	if err != nil {
		return 0
	}
	var root struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(data, &root) != nil {
		return 0
	}
	return max(0, len(root.Properties)-maxFields)
}

// A reader reads one schema.
type reader struct {
	find func(ref string) (any, bool)
	left int // how many more fields the form may have

	written func(object map[string]any, names []string) []string // sorts members in the order of the schema; nil if the order is unknown
}

// members returns the fields for the properties of an object. open are the references that
// enclose it.
func (r *reader) members(object map[string]any, open []string) []Field {
	properties, _ := object["properties"].(map[string]any)
	names, required := order(object, properties)
	if r.written != nil {
		names = r.written(properties, names)
	}
	if len(names) > maxFields {
		names = names[:maxFields]
	}
	list := make([]Field, 0, len(names))
	for _, n := range names {
		f := r.field(n, properties[n], open)
		f.Required = required[n]
		list = append(list, f)
	}
	return list
}
