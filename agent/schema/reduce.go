package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"goated/internal/schemacheck"
)

// A reducer translates one schema and its definitions.
type reducer struct {
	find    func(ref string) (any, bool)
	order   map[uintptr][]string // sorted names of the members of large objects
	limits  limits
	within  map[string]bool // the references that are being inlined
	nodes   int
	changes []Change
}

func newReducer(root map[string]any) *reducer {
	return &reducer{find: schemacheck.References(root), order: map[uintptr][]string{}}
}

// begin resets the reducer for an attempt with other limits.
func (r *reducer) begin(l limits) {
	r.limits, r.within, r.nodes, r.changes = l, map[string]bool{}, 0, nil
}

// sorted returns the names of an object. It sorts a large one once for all attempts.
func (r *reducer) sorted(m map[string]any) []string {
	if len(m) < 1000 {
		return sorted(m)
	}
	at := reflect.ValueOf(m).Pointer()
	if r.order[at] == nil {
		r.order[at] = sorted(m)
	}
	return r.order[at]
}

// maxChanges limits the number of recorded changes.
const maxChanges = 200

func (r *reducer) record(path, keyword string, kind Kind) {
	c := Change{path, keyword, kind}
	if len(r.changes) < maxChanges && !slices.Contains(r.changes, c) {
		r.changes = append(r.changes, c)
	}
}

// root translates the schema of the arguments. The arguments are always an object with named
// members.
func (r *reducer) root(in map[string]any) map[string]any {
	out := r.translate(in, "", 0)
	r.mergeAlternatives(out)
	for _, k := range []string{"enum", "items", "prefixItems", "minItems", "minimum", "maximum", "format"} {
		if _, set := out[k]; set {
			delete(out, k)
			r.record("", k, Dropped)
		}
	}
	if t, set := out["type"]; t != "object" {
		out["type"] = "object"
		if set {
			r.record("", "type", Corrected)
		} else {
			r.record("", "type", Added)
		}
	}
	r.prune(out, "")
	return out
}

// translate translates a schema, which may be a boolean. true allows everything, like the empty schema;
// the service's subset has no equivalent of false. Beyond the limits, translate returns the empty schema.
func (r *reducer) translate(schema any, path string, depth int) map[string]any {
	m, ok := schema.(map[string]any)
	if words, short := shorthand(schema); short {
		m, ok = map[string]any{"type": words}, true
		r.record(path, "", Corrected)
	}
	r.nodes++
	switch {
	case schema == true:
		return map[string]any{}
	case schema == false:
		r.record(path, "false", Described)
		return map[string]any{"description": "No value is allowed here."}
	case !ok:
		r.record(path, "", Dropped)
		return map[string]any{}
	case depth > r.limits.depth || r.nodes > r.limits.nodes:
		r.record(path, "", Shortened)
		return map[string]any{}
	}
	if k := reference(m); k != "" {
		return r.inline(m, m[k].(string), k, path, depth)
	}
	return r.translateNode(m, path, depth)
}

// shorthand returns the types of a schema whose author wrote only its type: "string", or a list of
// such names.
func shorthand(schema any) (types any, ok bool) {
	switch v := schema.(type) {
	case string:
		return v, v != ""
	case []any:
		return v, len(v) > 0 && len(texts(v)) == len(v)
	}
	return nil, false
}

// reference returns the keyword of the reference in a schema, or "" if it has none.
func reference(m map[string]any) string {
	for _, k := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		if _, ok := m[k].(string); ok {
			return k
		}
	}
	return ""
}

// inline replaces a reference by the translated schema that it refers to, merged with the keywords
// beside it.
func (r *reducer) inline(m map[string]any, ref, keyword, path string, depth int) map[string]any {
	beside := r.translateNode(m, path, depth)
	def, ok := r.find(ref)
	switch {
	case !ok:
		r.record(path, keyword, Unknown)
		return beside
	case r.within[ref]:
		r.record(path, keyword, Recursion)
		if d, ok := def.(map[string]any); ok {
			if t, ok := d["type"].(string); ok && beside["type"] == nil {
				if fixed, ok := types[strings.ToLower(t)]; ok {
					beside["type"] = fixed
				}
			}
		}
		prependNote(beside, fmt.Sprintf("Has the same form as %q above.", lastSegment(ref)), r.limits.words)
		return beside
	}
	r.within[ref] = true
	defer delete(r.within, ref)
	r.record(path, keyword, Inlined)
	named := r.translate(def, path, depth+1)
	said, _ := named["description"].(string)
	own, _ := beside["description"].(string)
	delete(named, "description")
	delete(beside, "description")
	r.merge(beside, named, path, keyword)
	if said != own {
		prependNote(beside, said, r.limits.words)
	}
	prependNote(beside, own, r.limits.words) // the description of this use comes first
	return beside
}

// lastSegment returns the last segment of a reference, or "the arguments" for the root.
func lastSegment(ref string) string {
	name := ref[strings.LastIndexAny(ref, "/#")+1:]
	if name == "" {
		return "the arguments"
	}
	return shorten(name, 60)
}

// translateNode translates the keywords of one schema.
func (r *reducer) translateNode(in map[string]any, path string, depth int) map[string]any {
	out := make(map[string]any, len(in))
	notes := r.values(in, out, path)
	r.children(in, out, path, depth)
	if all, ok := in["allOf"].([]any); ok {
		for _, part := range all {
			r.merge(out, r.translate(part, path, depth+1), path, "allOf")
		}
	}
	r.branches(in, out, path, depth, &notes)
	r.conditions(in, out, path, depth)
	if names := texts(in["required"]); len(names) > 0 {
		out["required"] = union(out["required"], names)
	}
	notes = append(notes, r.describe(in, path)...)
	if d := r.description(in, path); d != "" {
		notes = append([]string{d}, notes...)
	}
	if len(notes) > 0 {
		prependNote(out, strings.Join(notes, " "), r.limits.words)
	}
	r.recordChanges(in, out, path)
	return out
}

// prependNote puts words before the description of a schema.
func prependNote(out map[string]any, words string, limit int) {
	if words == "" {
		return
	}
	if have, ok := out["description"].(string); ok && have != "" && have != words {
		words = words + " " + have
	}
	if words = shorten(words, limit); words != "" {
		out["description"] = words
	}
}

// children translates the schemas in a schema.
func (r *reducer) children(in, out map[string]any, path string, depth int) {
	if v, set := in["properties"]; set {
		if members, ok := v.(map[string]any); ok {
			out["properties"] = r.members(members, out, path, depth)
		} else {
			r.record(path, "properties", Dropped)
		}
	}
	if v, set := in["items"]; set {
		switch v := v.(type) {
		case []any: // draft-07's form of prefixItems
			if len(v) > 0 {
				out["prefixItems"] = r.translateAll(v, path, depth)
			}
		default:
			out["items"] = r.translate(v, join(path, "items"), depth+1)
		}
	}
	if list, ok := in["prefixItems"].([]any); ok && len(list) > 0 {
		out["prefixItems"] = r.translateAll(list, path, depth)
	}
	switch v := in["additionalProperties"].(type) {
	case nil:
	case bool:
		out["additionalProperties"] = v
	case map[string]any:
		out["additionalProperties"] = r.translate(v, join(path, "*"), depth+1)
	default:
		r.record(path, "additionalProperties", Dropped)
	}
}

// members translates properties. A property may have draft 3's "required: true".
func (r *reducer) members(in, out map[string]any, path string, depth int) map[string]any {
	kept := make(map[string]any, len(in))
	for _, name := range r.sorted(in) {
		at := join(path, name)
		if r.nodes >= r.limits.nodes {
			r.record(path, "properties", Shortened)
			break
		}
		if in[name] == false {
			r.record(at, "false", Dropped)
			continue
		}
		if p, ok := in[name].(map[string]any); ok && p["required"] == true {
			out["required"] = union(out["required"], []string{name})
			r.record(at, "required", Corrected)
		}
		kept[name] = r.translate(in[name], at, depth+1)
	}
	return kept
}

func (r *reducer) translateAll(list []any, path string, depth int) []any {
	out := make([]any, len(list))
	for i, schema := range list {
		out[i] = r.translate(schema, join(path, fmt.Sprint(i)), depth+1)
	}
	return out
}

func join(path, name string) string {
	name = shorten(name, 64)
	if path == "" {
		return name
	}
	return path + "." + name
}

// union returns the names of both lists, each once.
func union(a, b any) []any {
	var out []any
	for _, list := range []any{a, b} {
		for _, n := range texts(list) {
			if !slices.Contains(out, any(n)) {
				out = append(out, n)
			}
		}
	}
	return out
}
