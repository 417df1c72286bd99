package schema

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// branches translates anyOf and oneOf. If all branches only require names, it describes them in
// words.
func (r *reducer) branches(in, out map[string]any, path string, depth int, notes *[]string) {
	for _, k := range []string{"anyOf", "oneOf"} {
		v, set := in[k]
		if !set {
			continue
		}
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			r.record(path, k, Dropped)
			continue
		}
		if words, ok := requirements(list, k); ok {
			*notes = append(*notes, words)
			r.record(path, k, Described)
			continue
		}
		var kept []any
		for i, branch := range list {
			if branch == false {
				continue
			}
			kept = append(kept, r.translate(branch, join(path, fmt.Sprint(i)), depth+1))
		}
		if !slices.ContainsFunc(kept, func(b any) bool { return len(b.(map[string]any)) > 0 }) {
			r.record(path, k, Dropped)
			continue
		}
		out[k] = kept
	}
}

// conditions adds the properties that a schema defines only under a condition, so that the model
// can set them. The description states the condition.
func (r *reducer) conditions(in, out map[string]any, path string, depth int) {
	var parts []any
	if _, ok := in["if"]; ok {
		parts = append(parts, in["then"], in["else"])
	}
	for _, k := range []string{"dependentSchemas", "dependencies"} {
		named, _ := in[k].(map[string]any)
		for _, name := range sorted(named) {
			parts = append(parts, named[name])
		}
	}
	for _, part := range parts {
		m, ok := part.(map[string]any)
		if !ok || in["additionalProperties"] == false {
			continue
		}
		properties, _ := r.translate(m, path, depth+1)["properties"].(map[string]any)
		have, _ := out["properties"].(map[string]any)
		for _, name := range sorted(properties) {
			if have[name] != nil {
				continue
			}
			if have == nil {
				have = make(map[string]any)
				out["properties"] = have
			}
			have[name] = properties[name]
		}
	}
}

// requirements describes alternatives that only require names. It reports false if any has other
// rules.
func requirements(list []any, keyword string) (string, bool) {
	said := make([]string, len(list))
	for i, branch := range list {
		names, ok := requiredOnly(branch)
		if !ok {
			return "", false
		}
		said[i] = strings.Join(names, " and ")
	}
	if keyword == "oneOf" {
		return "Exactly one of these has to be given: " + strings.Join(said, "; ") + ".", true
	}
	return "At least one of these has to be given: " + strings.Join(said, "; ") + ".", true
}

// merge adds the keywords of a translated schema to out, so that both schemas apply. keyword is the
// keyword that contained the schema.
func (r *reducer) merge(out, part map[string]any, path, keyword string) {
	for _, k := range sorted(part) {
		v := part[k]
		have, set := out[k]
		if !set {
			out[k] = v
			continue
		}
		switch k {
		case "required":
			out[k] = union(have, v)
		case "properties":
			a, _ := have.(map[string]any)
			b, _ := v.(map[string]any)
			for _, name := range sorted(b) {
				p, both := a[name].(map[string]any)
				q, ok := b[name].(map[string]any)
				switch {
				case !both:
					a[name] = b[name]
				case ok:
					r.merge(p, q, join(path, name), keyword)
				}
			}
		case "title": // the first one
		case "description":
			prependNote(out, v.(string), r.limits.words)
		case "enum":
			both := slices.DeleteFunc(slices.Clone(have.([]any)), func(e any) bool { return !slices.Contains(v.([]any), e) })
			if len(both) > 0 {
				out[k] = both
			}
		default:
			if !same(have, v) {
				prependNote(out, "Also: "+k+" "+r.quote(v)+".", r.limits.words)
				r.record(path, keyword, Described)
			}
		}
	}
}

func same(a, b any) bool { return compact(a, maxRule) == compact(b, maxRule) }

// mergeAlternatives replaces alternatives at the root by one object with the arguments of all of them, because
// the service does not accept alternatives there. Names that every alternative requires stay
// required. The description lists the alternatives.
func (r *reducer) mergeAlternatives(out map[string]any) {
	for _, k := range []string{"anyOf", "oneOf"} {
		list, ok := out[k].([]any)
		delete(out, k)
		if !ok {
			continue
		}
		r.record("", k, Merged)
		var common []any
		said := make([]string, 0, len(list))
		for i, b := range list {
			branch := b.(map[string]any)
			r.mergeAlternatives(branch) // alternatives in an alternative
			if i == 0 {
				common = union(nil, branch["required"])
			} else {
				names := texts(branch["required"])
				common = slices.DeleteFunc(common, func(n any) bool { return !slices.Contains(names, n.(string)) })
			}
			if words := alternative(branch, r); words != "" {
				said = append(said, words)
			}
			r.addAlternative(out, branch)
		}
		if len(common) > 0 {
			out["required"] = union(out["required"], common)
		}
		if len(said) == 0 {
			continue
		}
		lead := "The arguments follow one of these alternatives: "
		if k == "anyOf" {
			lead = "The arguments follow at least one of these alternatives: "
		}
		prependNote(out, lead+strings.Join(said, "; ")+".", r.limits.words)
	}
}

// addAlternative adds the properties of an alternative. If two alternatives define the same property, a
// value may match either definition.
func (r *reducer) addAlternative(out, branch map[string]any) {
	properties, _ := branch["properties"].(map[string]any)
	if len(properties) == 0 {
		return
	}
	have, _ := out["properties"].(map[string]any)
	if have == nil {
		have = map[string]any{}
		out["properties"] = have
	}
	delete(out, "additionalProperties") // it would forbid the names that only an alternative defines
	for _, name := range sorted(properties) {
		old, both := have[name].(map[string]any)
		next, _ := properties[name].(map[string]any)
		switch {
		case !both:
			have[name] = next
		case same(old, next):
		case isEither(old):
			old["anyOf"] = append(old["anyOf"].([]any), next)
		default:
			have[name] = either(old, next)
		}
	}
}

// either returns a schema that accepts the values of both schemas. It joins two enums.
func either(a, b map[string]any) map[string]any {
	one, ok1 := a["enum"].([]any)
	two, ok2 := b["enum"].([]any)
	if ok1 && ok2 && (a["type"] == nil || b["type"] == nil || same(a["type"], b["type"])) {
		merged := maps.Clone(b)
		maps.Copy(merged, a)
		merged["enum"] = append(slices.Clone(one), slices.DeleteFunc(slices.Clone(two), func(v any) bool { return slices.Contains(one, v) })...)
		return merged
	}
	return map[string]any{"anyOf": []any{a, b}}
}

func isEither(s map[string]any) bool {
	_, ok := s["anyOf"].([]any)
	return ok && len(s) == 1
}

// alternative describes one alternative by its title, its properties with a fixed value, and its
// required names. It returns "" if the alternative has none of these.
func alternative(branch map[string]any, r *reducer) string {
	var said []string
	properties, _ := branch["properties"].(map[string]any)
	required := texts(branch["required"])
	for _, name := range sorted(properties) {
		p, _ := properties[name].(map[string]any)
		if values, ok := p["enum"].([]any); ok && len(values) == 1 {
			said = append(said, name+" = "+r.quote(values[0]))
			required = slices.DeleteFunc(required, func(n string) bool { return n == name })
		}
	}
	said = append(said, required...)
	if len(said) == 0 {
		said = sorted(properties)
	}
	words := strings.Join(said[:min(len(said), 20)], ", ")
	if title, ok := branch["title"].(string); ok && title != "" {
		return shorten(title, 60) + " (" + words + ")"
	}
	return words
}
