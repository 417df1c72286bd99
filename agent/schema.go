package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The limits of a reduced schema. References are replaced by their definitions, so a
// small schema can describe a large or an infinite one.
const (
	maxDepth  = 24
	maxNodes  = 4000
	maxValues = 500     // of an enum; every request carries them all
	maxWords  = 8 << 10 // of each text, in bytes
)

// parameters reduces a tool's input schema to the subset that the API supports
// (FunctionDeclaration.parametersJsonSchema); the API refuses a whole request for one
// other keyword. Some keywords become words in the description. The server still
// checks the arguments against its own schema.
func parameters(schema any) map[string]any {
	root, ok := schema.(map[string]any)
	if !ok {
		return map[string]any{"type": "object"}
	}
	r := reducer{defs: make(map[string]any), within: make(map[string]bool)}
	for _, k := range []string{"definitions", "$defs"} { // draft-07's and 2020-12's word for it
		if defs, ok := root[k].(map[string]any); ok {
			maps.Copy(r.defs, defs)
		}
	}
	out := r.any(root, 0)
	for _, k := range []string{"enum", "anyOf", "oneOf"} {
		delete(out, k) // the arguments are an object with named members
	}
	out["type"] = "object"
	return out
}

// A reducer reduces one schema and its definitions.
type reducer struct {
	defs   map[string]any
	within map[string]bool // the definitions that are being inlined
	nodes  int
}

// any reduces a schema that may be a boolean: true allows everything, like the empty
// schema, and the subset has no equivalent of false. At the limits it returns the
// empty schema.
func (r *reducer) any(schema any, depth int) map[string]any {
	m, ok := schema.(map[string]any)
	if r.nodes++; !ok || depth > maxDepth || r.nodes > maxNodes {
		return map[string]any{}
	}
	ref, ok := m["$ref"].(string)
	if !ok {
		return r.schema(m, depth)
	}
	name := local(ref)
	def, ok := r.defs[name]
	if !ok || r.within[name] {
		return r.schema(m, depth) // the keywords beside the reference
	}
	r.within[name] = true
	defer delete(r.within, name)
	out := r.any(def, depth+1)
	maps.Copy(out, r.schema(m, depth))
	return out
}

func (r *reducer) schema(in map[string]any, depth int) map[string]any {
	out := make(map[string]any, len(in))
	var notes []string
	for _, k := range slices.Sorted(maps.Keys(in)) {
		v := in[k]
		switch k {
		case "type", "format", "title", "minItems", "maxItems", "minimum", "maximum":
			out[k] = v
		case "properties":
			out[k] = r.named(v, depth)
		case "items":
			if tuple, ok := v.([]any); ok { // draft-07's form of prefixItems
				out["prefixItems"] = r.each(tuple, depth)
			} else {
				out[k] = r.any(v, depth+1)
			}
		case "prefixItems", "anyOf", "oneOf":
			if list, ok := v.([]any); ok && len(list) > 0 {
				out[k] = r.each(list, depth)
			}
		case "additionalProperties":
			if _, ok := v.(bool); ok {
				out[k] = v
			} else {
				out[k] = r.any(v, depth+1)
			}
		case "enum":
			if values, ok := v.([]any); ok {
				enumerate(out, &notes, values)
			}
		case "const":
			enumerate(out, &notes, []any{v})
		case "exclusiveMinimum", "exclusiveMaximum":
			notes = append(notes, fmt.Sprintf("%s %v.", map[string]string{
				"exclusiveMinimum": "More than", "exclusiveMaximum": "Less than",
			}[k], v))
		case "default":
			notes = append(notes, "Default: "+compact(v)+".")
		case "pattern":
			notes = append(notes, "Must match "+compact(v)+".")
		case "minLength":
			notes = append(notes, fmt.Sprintf("At least %v characters.", v))
		case "maxLength":
			notes = append(notes, fmt.Sprintf("At most %v characters.", v))
		}
	}
	if all, ok := in["allOf"].([]any); ok {
		for _, part := range all {
			r.merge(out, part, depth)
		}
	}
	require(out, in["required"])
	if d, ok := in["description"].(string); ok {
		notes = append([]string{d}, notes...)
	}
	if len(notes) > 0 {
		out["description"] = brief(strings.Join(notes, " "))
	}
	return out
}

// merge adds the keywords of a branch of allOf to out.
func (r *reducer) merge(out map[string]any, part any, depth int) {
	for k, v := range r.any(part, depth+1) {
		switch have := out[k].(type) {
		case nil:
			out[k] = v
		case map[string]any:
			if more, ok := v.(map[string]any); ok && k == "properties" {
				for name, p := range more {
					if _, ok := have[name]; !ok {
						have[name] = p
					}
				}
			}
		}
	}
}

func (r *reducer) named(v any, depth int) map[string]any {
	in, _ := v.(map[string]any)
	out := make(map[string]any, len(in))
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if r.nodes >= maxNodes {
			break
		}
		out[name] = r.any(in[name], depth+1)
	}
	return out
}

func (r *reducer) each(list []any, depth int) []any {
	out := make([]any, len(list))
	for i, schema := range list {
		out[i] = r.any(schema, depth+1)
	}
	return out
}

// enumerate sets the allowed values if all are texts or numbers; else it adds a note.
func enumerate(out map[string]any, notes *[]string, values []any) {
	if len(values) > maxValues {
		*notes = append(*notes, fmt.Sprintf("One of %d values, such as %s.", len(values), compact(values[:3])))
		return
	}
	var kept []any
	for _, v := range values {
		switch v.(type) {
		case string, float64, json.Number:
			kept = append(kept, v)
		}
	}
	if len(kept) == len(values) && len(kept) > 0 {
		out["enum"] = kept
		return
	}
	*notes = append(*notes, "One of "+compact(values)+".")
}

// require sets the required names that are properties.
func require(out map[string]any, required any) {
	names, _ := required.([]any)
	properties, _ := out["properties"].(map[string]any)
	var kept []any
	for _, n := range names {
		if name, ok := n.(string); ok && properties[name] != nil {
			kept = append(kept, name)
		}
	}
	if len(kept) > 0 {
		out["required"] = kept
	}
}

// local returns the name of a definition of the same schema, or "". Other
// references are not followed: "implementations MUST NOT automatically
// dereference $ref values that resolve to a network URI" (MCP, JSON Schema).
func local(ref string) string {
	for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
		if name, ok := strings.CutPrefix(ref, prefix); ok && !strings.Contains(name, "/") {
			return name
		}
	}
	return ""
}

// brief returns text, cut to maxWords.
func brief(text string) string {
	if len(text) <= maxWords {
		return text
	}
	return strings.ToValidUTF8(text[:maxWords], "") + "…"
}

func compact(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
