package geminitest

import (
	"maps"
	"slices"
)

// checkCycles applies the rule "Cyclic references are unrolled to a limited degree and, as such,
// may only be used within non-required properties." References lead only to definitions, so every
// cycle passes through a definition.
func (j jsonSchema) checkCycles(at string) *failure {
	settled := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(j.defs)) {
		if j.endless(j.defs[name], map[string]bool{name: true}, settled) {
			return invalidField(at, "schema %q contains itself outside of non-required properties.", name)
		}
		settled[name] = true
	}
	return nil
}

// endless reports whether the schema leads back to a definition on the path through parts that an
// instance cannot omit.
func (j jsonSchema) endless(value any, path, settled map[string]bool) bool {
	node, _ := value.(object)
	if name, ok := definition(node["$ref"]); ok && !settled[name] {
		if path[name] {
			return true
		}
		path[name] = true
		defer delete(path, name)
		return j.endless(j.defs[name], path, settled)
	}
	return slices.ContainsFunc(inevitable(node), func(child any) bool { return j.endless(child, path, settled) })
}

// inevitable returns the schemas directly inside node, except those of non-required properties.
func inevitable(node object) []any {
	var children []any
	properties, _ := node["properties"].(object)
	required, _ := node["required"].([]any)
	for _, name := range required {
		text, _ := name.(string)
		children = append(children, properties[text])
	}
	for _, keyword := range []string{"anyOf", "oneOf", "prefixItems"} {
		list, _ := node[keyword].([]any)
		children = append(children, list...)
	}
	if items, set := node["items"]; set {
		children = append(children, items)
	}
	return children
}
