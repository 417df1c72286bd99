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
	object, ok := document.(map[string]any)
	if !ok {
		if data, err := json.Marshal(document); err == nil {
			_ = json.Unmarshal(data, &object) // another type requires none
		}
	}
	names, _ := order(object, args)
	return names
}

// order returns the names of members, first those that object requires, and which these are.
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
