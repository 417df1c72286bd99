package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"goated/internal/truncate"
)

// maxRule limits a JSON value that a description quotes, in bytes.
const maxRule = 300

// rules maps the keywords that the service lacks to words, in the order of the description.
var rules = []struct{ keyword, words string }{
	{"default", "Default: %s."},
	{"exclusiveMaximum", "Less than %s."},
	{"exclusiveMinimum", "More than %s."},
	{"maxItems", "At most %s items."},
	{"maxLength", "At most %s characters."},
	{"maxProperties", "At most %s members."},
	{"minLength", "At least %s characters."},
	{"minProperties", "At least %s members."},
	{"multipleOf", "A multiple of %s."},
	{"pattern", "Must match %s."},
	{"contentEncoding", "Encoded as %s."},
	{"contentMediaType", "Contains %s."},
	{"patternProperties", "Members by pattern of their names: %s."},
	{"propertyNames", "Names of members follow %s."},
	{"contains", "At least one item follows %s."},
	{"minContains", "At least %s such items."},
	{"maxContains", "At most %s such items."},
	{"unevaluatedItems", "Other items: %s."},
	{"additionalItems", "Other items: %s."},
	{"unevaluatedProperties", "Other members: %s."},
	{"dependentRequired", "Members that need others: %s."},
	{"dependentSchemas", "Members that have conditions: %s."},
	{"dependencies", "Members that need others: %s."},
	{"not", "Must not follow %s."},
	{"examples", "Examples: %s."},
	{"example", "Example: %s."},
}

// schemas lists the rules whose values are schemas.
var schemas = []string{"patternProperties", "propertyNames", "contains", "unevaluatedItems", "additionalItems", "unevaluatedProperties", "dependentSchemas", "dependencies", "not"}

// maxSpelled limits the number of values that one rule spells out. A description quotes only a
// short text anyway.
const maxSpelled = 500

// spell returns a value with its references replaced by their definitions, because the model does
// not get the definitions.
func (r *reducer) spell(v any) any {
	return (&speller{find: r.find, within: map[string]bool{}, left: maxSpelled}).value(v)
}

type speller struct {
	find   func(ref string) (any, bool)
	within map[string]bool // the references that are being spelled out
	left   int
}

func (s *speller) value(v any) any {
	if s.left--; s.left < 0 {
		return "…"
	}
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		k := reference(v)
		if k != "" {
			ref := v[k].(string)
			def, ok := s.find(ref)
			if !ok || s.within[ref] {
				return lastSegment(ref)
			}
			s.within[ref] = true
			named := s.value(def)
			delete(s.within, ref)
			parts, ok := named.(map[string]any)
			if !ok {
				return named
			}
			out = parts
		}
		for _, name := range sorted(v) {
			if name != k {
				out[name] = s.value(v[name])
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = s.value(e)
		}
		return out
	}
	return v
}

// describe returns notes for the keywords of a node that the service lacks.
func (r *reducer) describe(in map[string]any, path string) []string {
	var notes []string
	for _, rule := range rules {
		v, set := in[rule.keyword]
		if !set {
			continue
		}
		if slices.Contains(schemas, rule.keyword) {
			v = r.spell(v)
		}
		words := fmt.Sprintf(rule.words, r.quote(v))
		switch rule.keyword {
		case "exclusiveMinimum", "exclusiveMaximum":
			// Draft 4 writes them as a boolean beside the limit.
			if strict, ok := v.(bool); ok {
				limit := in[map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}[rule.keyword]]
				if !strict || limit == nil {
					continue
				}
				words = fmt.Sprintf(rule.words, r.quote(limit))
			}
		case "not":
			if names, ok := requiredOnly(v); ok {
				words = "Must not have: " + strings.Join(names, ", ") + "."
			}
		case "unevaluatedItems", "additionalItems", "unevaluatedProperties":
			if v == true {
				continue
			}
			if v == false {
				words = strings.Replace(rule.words, "%s", "none", 1)
			}
		}
		notes = append(notes, words)
		r.record(path, rule.keyword, Described)
	}
	if v, ok := in["uniqueItems"].(bool); ok && v {
		notes = append(notes, "All items differ.")
		r.record(path, "uniqueItems", Described)
	}
	for _, rule := range []struct{ keyword, words string }{{"deprecated", "Deprecated."}, {"readOnly", "Read-only."}, {"writeOnly", "Write-only."}} {
		if in[rule.keyword] == true {
			notes = append(notes, rule.words)
			r.record(path, rule.keyword, Described)
		}
	}
	if v, ok := in["if"]; ok {
		notes = append(notes, r.condition(r.spell(v), r.spell(in["then"]), r.spell(in["else"])))
		r.record(path, "if", Described)
	}
	return notes
}

// condition describes if, then and else in words.
func (r *reducer) condition(when, then, otherwise any) string {
	words := "If " + r.quote(when)
	if then != nil {
		words += ", then " + r.quote(then)
	}
	if otherwise != nil {
		words += ", else " + r.quote(otherwise)
	}
	return words + "."
}

// quote returns a value as short JSON.
func (r *reducer) quote(v any) string { return compact(v, min(maxRule, r.limits.words)) }

// compact returns v as JSON of at most limit bytes. An ellipsis marks a cut.
func compact(v any, limit int) string {
	if s, ok := v.(string); ok && len(s) > 2*limit {
		v = strings.ToValidUTF8(s[:2*limit], "")
	}
	data, err := json.Marshal(v)
	if err != nil {
		data = fmt.Append(nil, v)
	}
	return shorten(string(data), limit)
}

// shorten returns text as valid UTF-8, truncated to limit bytes.
func shorten(text string, limit int) string {
	return truncate.Bytes(strings.ToValidUTF8(text, "\uFFFD"), limit)
}

// requiredOnly returns the names that a schema requires. It reports false if the schema has other
// rules.
func requiredOnly(v any) ([]string, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	for k := range m {
		if k != "required" && k != "type" && k != "title" && k != "description" {
			return nil, false
		}
	}
	names := texts(m["required"])
	return names, len(names) > 0
}

// texts returns the strings in a list. A single string counts as a list of one.
func texts(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var out []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}
