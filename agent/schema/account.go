package schema

import (
	"reflect"
	"slices"
	"strings"
)

// ignoredKeywords lists the keywords that no model needs: they name the schema or its parts, or are meant
// for its author.
var ignoredKeywords = []string{"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$comment", "$defs", "definitions"}

// recordChanges records each keyword that the translation of one schema changes or drops, unless a change
// for it is already recorded.
func (r *reducer) recordChanges(in, out map[string]any, path string) {
	for _, k := range r.sorted(in) {
		if slices.Contains(ignoredKeywords, k) || k == reference(in) || r.recorded(path, k) {
			continue
		}
		if kind := changeKind(in, out, k); kind != "" {
			r.record(path, k, kind)
		}
	}
}

// changeKind returns what happened to a keyword of a schema in its translation. It returns "" if the
// keyword stays, or if its parts have their own changes.
func changeKind(in, out map[string]any, keyword string) Kind {
	v := in[keyword]
	now, kept := out[keyword]
	switch keyword {
	case "properties", "additionalProperties", "not", "if": // rules with their own descriptions
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

// allOf returns what happened to a value of allOf. A list is merged into the schema around it.
func allOf(v any) Kind {
	if _, ok := v.([]any); ok {
		return Rewritten
	}
	return Dropped
}

// recorded reports whether a change for a keyword at path is recorded.
func (r *reducer) recorded(path, keyword string) bool {
	return slices.ContainsFunc(r.changes, func(c Change) bool { return c.Path == path && c.Keyword == keyword })
}

// maxDefined limits the properties that one list of required names adds.
const maxDefined = 50

// prune defines a property for each required name in the whole schema, because the service
// otherwise refuses it with "required[0]: property is not defined". It removes a name that the
// schema forbids.
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
				r.record(path, "required", Corrected)
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
