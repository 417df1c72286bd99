package schemacheck

import (
	"maps"
	"reflect"
	"slices"
)

// maxWork limits the number of schemas that apply to one value.
const maxWork = 2000

// bounded reports whether a check ends soon for any arguments: no reference leads back to itself
// for the same value, and few schemas apply to one value. The library has neither limit, so a
// schema whose allOf refers to itself would crash the process. branches is the largest number of
// schemas for one value that have schemas for the same part of it. With n of them, a value of depth
// d is checked n to the power of d times. steps is the largest number of steps for one value.
func bounded(root map[string]any) (branches, steps int, ok bool) {
	b := bounder{names: name(root), seen: map[uintptr]bool{}, budget: 20 * maxNodes, branches: 1}
	ok = b.value(root)
	return b.branches, b.steps, ok
}

type bounder struct {
	names    func() *names
	seen     map[uintptr]bool // schemas that were already checked
	budget   int              // schemas that may still be visited
	branches int
	steps    int
}

// A value collects the schemas that apply to the same value.
type value struct {
	within   map[string]bool // references in progress
	work     int
	steps    int   // schemas, values to compare with and names to look up
	branches int   // schemas that contain schemas for parts of the value
	parts    []any // the schemas for parts of the value
}

// value reports whether the schemas for one value and for its parts are bounded.
func (b *bounder) value(schema any) bool {
	m, ok := schema.(map[string]any)
	if !ok {
		return true
	}
	at := reflect.ValueOf(m).Pointer()
	if b.seen[at] {
		return true
	}
	b.seen[at] = true
	v := &value{within: map[string]bool{}}
	if !b.same(m, v, 0) {
		return false
	}
	b.branches, b.steps = max(b.branches, v.branches), max(b.steps, v.steps)
	return !slices.ContainsFunc(v.parts, func(part any) bool { return !b.value(part) })
}

// same collects the schemas that apply to the same value as schema.
func (b *bounder) same(schema any, v *value, depth int) bool {
	m, ok := schema.(map[string]any)
	if !ok {
		return true
	}
	v.work++
	b.budget--
	if v.work > maxWork || b.budget < 0 || depth > 64 || m["$dynamicRef"] != nil || m["$recursiveRef"] != nil {
		return false
	}
	if ref, ok := m["$ref"].(string); ok {
		def, found := b.names().find(ref)
		if v.within[ref] || found && !b.follow(def, ref, v, depth) {
			return false
		}
	}
	for _, child := range children(m, []string{"not", "if", "then", "else"}, []string{"allOf", "anyOf", "oneOf"}, []string{"dependentSchemas", "dependencies"}) {
		if !b.same(child, v, depth+1) {
			return false
		}
	}
	parts := children(m,
		[]string{"additionalProperties", "items", "additionalItems", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"},
		[]string{"prefixItems", "items"}, []string{"properties", "patternProperties"})
	v.steps += 1 + len(parts) + lengthOf(m["enum"]) + lengthOf(m["required"])
	if len(parts) > 0 {
		v.branches++
		v.parts = append(v.parts, parts...)
	}
	return true
}

func lengthOf(list any) int {
	values, _ := list.([]any)
	return len(values)
}

func (b *bounder) follow(def any, ref string, v *value, depth int) bool {
	v.within[ref] = true
	defer delete(v.within, ref)
	return b.same(def, v, depth+1)
}

// children returns the schemas in the keywords that contain one schema, a list of schemas, or named
// schemas.
func children(m map[string]any, single, lists, named []string) []any {
	var out []any
	for _, k := range single {
		if child, ok := m[k].(map[string]any); ok {
			out = append(out, child)
		}
	}
	for _, k := range lists {
		if list, ok := m[k].([]any); ok {
			out = append(out, list...)
		}
	}
	for _, k := range named {
		if members, ok := m[k].(map[string]any); ok {
			out = slices.AppendSeq(out, maps.Values(members))
		}
	}
	return out
}
