// Package fields reads a JSON schema as fields of a form, nested ones too, and parses
// what the user enters into values of the schema. It owns the rules of a field. It must
// not know widgets, which are in ui/form, nor servers.
package fields

import (
	"encoding/json"
	"fmt"

	"goated/internal/schemacheck"
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
	Date
	Time
	Moment // a date with its time
	Group  // an object with members of its own
	List   // any number of items
	JSON   // any other type; the user writes JSON
)

// An Option is one value of a Choice or MultiChoice.
type Option struct {
	Label string
	Value any
}

// A Field is one value of the object that the form returns. The zero value is an
// optional text. It is read-only and safe for concurrent use.
type Field struct {
	Name     string // empty for an item of a List
	Label    string
	Help     string
	Kind     Kind
	Required bool
	Default  any // in the member's type; nil if there is none
	Choices  []Option
	Secret   bool    // it looks like a password or a key: what the user types is not shown
	Members  []Field // of a Group
	Item     *Field  // of a List: the field of each item
	Range    Range   // of a Number or an Integer

	types    []string // the JSON types, without null; Parse uses them to tell "" from no value
	nullable bool
	rules    rules
	example  string // of a JSON field: a value with its members
}

// The bounds of one form. A schema beyond them gets fields in which the user writes
// JSON, and an object has at most maxFields fields, so that no schema of a server makes a form
// that never ends. [Missing] counts those that are left out.
const (
	maxOptions = 500 // with more values, the user types one
	maxFields  = 400
	maxNested  = 8
)

// Of returns the members of an object's JSON schema. A schema in JSON, as [json.RawMessage], gives
// them their order. Of another one, the required members come first, in the order of "required",
// then the others by name. References are followed within the schema; one
// that leads back into itself becomes a field for JSON. If the schema has alternatives, the members of
// all are there, and those of an alternative are optional. A schema of another type has no
// fields. A schema that is not JSON is an error.
func Of(document any) ([]Field, error) {
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
		r.written = parsed.written
	}
	n := r.resolve(parsed.root, nil)
	return r.members(r.united(n), n.open), nil
}

// Missing returns how many members of an object's JSON schema have no field, because it has
// too many.
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

// A reader reads one document.
type reader struct {
	find func(ref string) (any, bool)
	left int // fields that the form may still have

	written func(object map[string]any, names []string) []string // sorts members as the schema has them; nil: unknown
}

// members reads the properties of an object. open are the references around it.
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
