package fields

import (
	"encoding/json"
	"maps"
	"slices"
)

// Order returns the names of the arguments of a call in the order of a form: first those that
// an object's JSON schema requires, in its order, then the others by name. A schema that
// cannot be read requires none.
func Order(document any, args map[string]any) []string {
	var names []string
	for _, n := range requires(document) {
		if _, ok := args[n]; ok && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(args)) {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

func requires(document any) []string {
	object, ok := document.(map[string]any)
	if !ok && document != nil {
		data, err := json.Marshal(document)
		if err != nil || json.Unmarshal(data, &object) != nil {
			return nil
		}
	}
	list, _ := object["required"].([]any)
	var names []string
	for _, v := range list {
		if n, ok := v.(string); ok {
			names = append(names, n)
		}
	}
	return names
}
