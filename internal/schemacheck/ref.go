package schemacheck

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// References returns a function that resolves the $ref of a JSON schema within its own document.
// The function returns false if the reference leads to another document or nowhere. Do not modify
// root while it is in use.
func References(root map[string]any) func(ref string) (any, bool) {
	index := name(root)
	return func(ref string) (any, bool) { return index().find(ref) }
}

// The limits of the search for names.
const (
	maxNodes = 4000
	maxDepth = 96
)

// names indexes the schemas in a document that have an $id or an anchor.
type names struct {
	root    map[string]any
	anchors map[string]any // by $anchor or $dynamicAnchor
	ids     map[string]any // by $id
}

// name returns a function that indexes the names in a document on first use. It visits at most
// maxNodes values.
func name(root map[string]any) func() *names {
	return sync.OnceValue(func() *names { return index(root) })
}

func index(root map[string]any) *names {
	n := &names{root: root, anchors: map[string]any{}, ids: map[string]any{}}
	left := maxNodes
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if left--; left < 0 || depth > maxDepth {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for _, k := range []string{"$anchor", "$dynamicAnchor"} {
				if a, ok := v[k].(string); ok && n.anchors[a] == nil {
					n.anchors[a] = v
				}
			}
			for _, k := range []string{"$id", "id"} {
				id, ok := v[k].(string)
				if !ok || id == "" {
					continue
				}
				if fragment, ok := strings.CutPrefix(id, "#"); ok { // draft 7's form of $anchor
					n.anchors[fragment] = v
				} else if n.ids[trim(id)] == nil {
					n.ids[trim(id)] = v
				}
			}
			for _, k := range slices.Sorted(maps.Keys(v)) { // in a fixed order, so that the first duplicate always wins
				if k != "enum" && k != "const" && k != "default" && k != "examples" {
					visit(v[k], depth+1)
				}
			}
		case []any:
			for _, child := range v {
				visit(child, depth+1)
			}
		}
	}
	visit(root, 0)
	return n
}

func trim(id string) string { return strings.TrimSuffix(strings.TrimSuffix(id, "#"), "/") }

// find returns the schema that a reference refers to in the same document. It reports false for any
// other reference: "implementations MUST NOT automatically dereference $ref values that resolve to
// a network URI" (MCP, JSON Schema).
func (n *names) find(ref string) (any, bool) {
	base, fragment, _ := strings.Cut(ref, "#")
	var from any = n.root
	if base != "" {
		var ok bool
		if from, ok = n.document(base); !ok {
			return nil, false
		}
	}
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	if fragment == "" {
		return from, true
	}
	if !strings.HasPrefix(fragment, "/") {
		found, ok := n.anchors[fragment]
		return found, ok
	}
	return point(from, fragment[1:])
}

// document returns the schema with an $id. A relative reference is resolved against the root's $id.
func (n *names) document(base string) (any, bool) {
	if found, ok := n.ids[trim(base)]; ok {
		return found, true
	}
	rootID, _ := n.root["$id"].(string)
	for id, found := range n.ids {
		if resolve(rootID, id) == resolve(rootID, base) {
			return found, true
		}
	}
	return nil, false
}

func resolve(base, ref string) string {
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	r, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return trim(r.String())
}

// point resolves a JSON pointer (RFC 6901) without its first slash.
func point(from any, pointer string) (any, bool) {
	for step := range strings.SplitSeq(pointer, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := from.(type) {
		case map[string]any:
			next, ok := v[step]
			if !ok {
				return nil, false
			}
			from = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			from = v[i]
		default:
			return nil, false
		}
	}
	switch from.(type) {
	case map[string]any, bool:
		return from, true
	}
	return nil, false
}
