package fields

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"goated/internal/exact"
)

// Order returns the names of the arguments of a call in the order of a form. The arguments that
// an object's JSON schema requires come first, in the schema's order, and then the others by
// name. If the schema cannot be read, no argument is required.
func Order(document any, args map[string]any) []string {
	object, ok := document.(map[string]any)
	if !ok {
		if data, err := json.Marshal(document); err == nil {
			_ = json.Unmarshal(data, &object) // a schema of another type requires none
		}
	}
	names, _ := order(object, args)
	return names
}

// order returns the names of members, required ones first, and the set of required names.
func order(object, members map[string]any) (names []string, required map[string]bool) {
	list, _ := object["required"].([]any)
	required = make(map[string]bool, len(list))
	for _, v := range list {
		n, _ := v.(string)
		if _, ok := members[n]; ok && !required[n] {
			required[n] = true
			names = append(names, n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(members)) {
		if !required[n] {
			names = append(names, n)
		}
	}
	return names, required
}

// A source is a decoded JSON schema together with the order of its members in the text.
type source struct {
	root  map[string]any
	order map[uintptr][]string // maps the address of an object's map to the names of its members
}

// parse decodes a schema. Numbers become [json.Number].
func parse(data []byte) (source, error) {
	d := source{order: make(map[uintptr][]string)}
	if err := exact.Decode(data, &d.root); err != nil {
		return d, err
	}
	tokens := json.NewDecoder(bytes.NewReader(data))
	tokens.UseNumber()
	return d, d.recordOrder(tokens, d.root)
}

// recordOrder reads the next value from a text and records the order of its members. value is the same
// value, decoded.
func (d source) recordOrder(tokens *json.Decoder, value any) error {
	token, err := tokens.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		object, _ := value.(map[string]any)
		var names []string
		for tokens.More() {
			name, err := tokens.Token()
			if err != nil {
				return err
			}
			n, _ := name.(string)
			names = append(names, n)
			if err := d.recordOrder(tokens, object[n]); err != nil {
				return err
			}
		}
		d.order[reflect.ValueOf(object).Pointer()] = names
	case json.Delim('['):
		list, _ := value.([]any)
		for i := 0; tokens.More(); i++ {
			var item any
			if i < len(list) {
				item = list[i]
			}
			if err := d.recordOrder(tokens, item); err != nil {
				return err
			}
		}
	default:
		return nil
	}
	_, err = tokens.Token() // the closing delimiter
	return err
}

// sortAsWritten sorts names of an object's members in the order of the text. If the text does not
// contain the object, it does not change the order.
func (d source) sortAsWritten(object map[string]any, names []string) []string {
	at := make(map[string]int)
	for i, n := range d.order[reflect.ValueOf(object).Pointer()] {
		if _, again := at[n]; !again {
			at[n] = i
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
	return names
}
