package schema

import (
	"reflect"
	"slices"
	"strings"
)

// unseen are the keywords that no model needs: they name the schema or its parts, or are
// for its author.
var unseen = []string{"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs", "definitions"}

// account records what the translation of one schema has in another form, or not at all,
// unless that is recorded already.
func (r *reducer) account(in, out map[string]any, path string) {
	for _, k := range r.sorted(in) {
		v := in[k]
		if slices.Contains(unseen, k) || k == reference(in) || r.recorded(path, k) {
			continue
		}
		switch _, kept := out[k]; k {
		case "properties", "additionalProperties", "not", "if": // the parts have their own changes, and rules have words
		case "type":
			if s, ok := v.(string); !kept && !(ok && strings.EqualFold(s, "any")) {
				r.change(path, k, Dropped)
			}
		case "minItems", "minimum", "maximum":
			if !kept {
				r.change(path, k, Dropped)
			}
		case "description":
			if s, ok := v.(string); ok {
				if said, _ := out[k].(string); s != "" && !strings.HasPrefix(said, s) {
					r.change(path, k, Shortened)
				}
			}
		case "title":
			if v != out[k] {
				r.change(path, k, Shortened)
			}
		case "format":
			if v != out[k] {
				r.change(path, k, Dropped)
			}
		case "anyOf", "oneOf":
			if list, _ := v.([]any); slices.Contains(list, any(false)) {
				r.change(path, k, Rewritten)
			}
		case "prefixItems":
			if !kept {
				r.change(path, k, Dropped)
			}
		case "items":
			switch list, ok := v.([]any); {
			case ok && len(list) > 0:
				r.change(path, k, Rewritten)
			case ok:
				r.change(path, k, Dropped)
			}
		case "const":
			r.change(path, k, Rewritten)
		case "allOf":
			r.change(path, k, allOf(v))
		case "enum":
			if !reflect.DeepEqual(v, out[k]) {
				r.change(path, k, Corrected)
			}
		case "required":
			if names, ok := v.([]any); !ok || len(texts(v)) < len(names) {
				r.change(path, k, Corrected)
			}
		case "deprecated", "readOnly", "writeOnly":
			if v != false {
				r.change(path, k, Dropped)
			}
		case "then", "else":
			if _, ok := in["if"]; !ok {
				r.change(path, k, Dropped)
			}
		case "nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum", "additionalItems", "unevaluatedItems", "unevaluatedProperties":
			if _, ok := v.(bool); !ok {
				r.change(path, k, Dropped)
			}
		default:
			r.change(path, k, Dropped)
		}
	}
}

// allOf is what happens to the value of allOf: its parts join the schema around them.
func allOf(v any) Kind {
	if _, ok := v.([]any); ok {
		return Rewritten
	}
	return Dropped
}

// recorded reports whether a keyword at a place has a change.
func (r *reducer) recorded(path, keyword string) bool {
	return slices.ContainsFunc(r.changes, func(c Change) bool { return c.Path == path && c.Keyword == keyword })
}

// maxDefined bounds the properties that one list of required names adds.
const maxDefined = 50

// prune makes each required name a property, in the whole schema: the service refuses
// "required[0]: property is not defined". A name that the schema forbids is removed.
func (r *reducer) prune(v any, path string) {
	switch v := v.(type) {
	case map[string]any:
		properties, _ := v["properties"].(map[string]any)
		if names, isList := v["required"].([]any); isList {
			free := v["additionalProperties"] != false && len(names) <= maxDefined
			names = slices.DeleteFunc(names, func(n any) bool {
				if properties[n.(string)] != nil {
					return false
				}
				r.change(path, "required", Corrected)
				if !free {
					return true
				}
				if properties == nil {
					properties = make(map[string]any)
					v["properties"] = properties
				}
				properties[n.(string)] = map[string]any{}
				return false
			})
			if v["required"] = names; len(names) == 0 {
				delete(v, "required")
			}
		}
		for _, name := range sorted(properties) {
			r.prune(properties[name], join(path, name))
		}
		for _, k := range sorted(v) {
			switch k {
			case "properties", "enum", "required":
			case "additionalProperties":
				r.prune(v[k], join(path, "*"))
			case "items":
				r.prune(v[k], join(path, k))
			default:
				r.prune(v[k], path)
			}
		}
	case []any:
		for _, child := range v {
			r.prune(child, path)
		}
	}
}
