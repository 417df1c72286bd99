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
		if slices.Contains(unseen, k) || k == reference(in) || r.recorded(path, k) {
			continue
		}
		if kind := became(in, out, k); kind != "" {
			r.change(path, k, kind)
		}
	}
}

// became is what happened to a keyword of a schema in its translation; empty: it stays, or its
// parts have their own changes.
func became(in, out map[string]any, keyword string) Kind {
	v := in[keyword]
	now, kept := out[keyword]
	switch keyword {
	case "properties", "additionalProperties", "not", "if": // rules have words
		return ""
	case "type":
		s, isText := v.(string)
		return kindIf(!kept && !(isText && strings.EqualFold(s, "any")), Dropped)
	case "minItems", "minimum", "maximum", "prefixItems":
		return kindIf(!kept, Dropped)
	case "description":
		s, _ := v.(string)
		said, _ := now.(string)
		return kindIf(s != "" && !strings.HasPrefix(said, s), Shortened)
	case "title":
		return kindIf(v != now, Shortened)
	case "format":
		return kindIf(v != now, Dropped)
	case "anyOf", "oneOf":
		list, _ := v.([]any)
		return kindIf(slices.Contains(list, any(false)), Rewritten)
	case "items":
		list, isList := v.([]any)
		if len(list) > 0 {
			return Rewritten
		}
		return kindIf(isList, Dropped)
	case "const":
		return Rewritten
	case "allOf":
		return allOf(v)
	case "enum":
		return kindIf(!reflect.DeepEqual(v, now), Corrected)
	case "required":
		names, isList := v.([]any)
		return kindIf(!isList || len(texts(v)) < len(names), Corrected)
	case "deprecated", "readOnly", "writeOnly":
		return kindIf(v != false, Dropped)
	case "then", "else":
		_, ruled := in["if"]
		return kindIf(!ruled, Dropped)
	case "nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum", "additionalItems", "unevaluatedItems", "unevaluatedProperties":
		_, isFlag := v.(bool)
		return kindIf(!isFlag, Dropped)
	}
	return Dropped
}

func kindIf(changed bool, kind Kind) Kind {
	if changed {
		return kind
	}
	return ""
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
