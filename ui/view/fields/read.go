package fields

import (
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"goated/internal/safetext"
)

// A node is a schema after its references were resolved.
type node struct {
	schema   map[string]any
	open     []string // the references that led here
	nullable bool
	cut      bool // it is recursive
}

// resolve follows $ref, merges allOf, and takes the only branch of anyOf or oneOf that is not
// null. Keywords beside them take precedence, for example the description of a member.
func (r *reader) resolve(v any, open []string) node {
	n := node{open: open}
	n.schema, _ = v.(map[string]any) // true and false allow any value here
	for range maxNested {
		s := n.schema
		var inner any
		var drop string
		if ref, ok := s["$ref"].(string); ok {
			found, ok := r.find(ref)
			if !ok || slices.Contains(n.open, ref) {
				n.cut = true
				return n
			}
			n.open = append(slices.Clip(n.open), ref)
			inner, drop = found, "$ref"
		} else if all, ok := s["allOf"].([]any); ok && len(all) > 0 {
			joined := map[string]any{}
			for _, part := range all {
				p := r.resolve(part, n.open)
				if n.cut = n.cut || p.cut; n.cut {
					return n
				}
				n.open = slices.Concat(slices.Clip(n.open), p.open[min(len(n.open), len(p.open)):])
				joined = join(joined, p.schema)
			}
			inner, drop = joined, "allOf"
		} else if key, branch, null := onlyBranch(s); branch != nil {
			n.nullable = n.nullable || null
			inner, drop = branch, key
		} else {
			break
		}
		m, _ := inner.(map[string]any)
		rest := maps.Clone(s)
		delete(rest, drop)
		n.schema = join(m, rest)
	}
	return n
}

// onlyBranch returns the branch of anyOf or oneOf that is not null, if there is exactly one such
// branch.
func onlyBranch(s map[string]any) (key string, branch map[string]any, null bool) {
	for _, key := range []string{"anyOf", "oneOf"} {
		list, _ := s[key].([]any)
		var found []map[string]any
		null = false
		for _, b := range list {
			m, _ := b.(map[string]any)
			if m["type"] == "null" {
				null = true
				continue
			}
			found = append(found, m)
		}
		if len(found) == 1 && found[0] != nil && found[0]["const"] == nil {
			return key, found[0], null
		}
	}
	return "", nil, false
}

// united returns the schema of an object with the properties of all its alternatives. If the
// alternatives define a property differently, any of the definitions may apply.
func (r *reader) united(n node) map[string]any {
	own, _ := n.schema["properties"].(map[string]any)
	found := make(map[string][]any)
	for _, key := range []string{"anyOf", "oneOf"} {
		branches, _ := n.schema[key].([]any)
		for _, b := range branches {
			properties, _ := r.resolve(b, n.open).schema["properties"].(map[string]any)
			for name, p := range properties {
				if own[name] == nil && !slices.ContainsFunc(found[name], func(o any) bool { return reflect.DeepEqual(o, p) }) {
					found[name] = append(found[name], p)
				}
			}
		}
	}
	if len(found) == 0 {
		return n.schema
	}
	all := maps.Clone(own)
	if all == nil {
		all = make(map[string]any)
	}
	for name, list := range found {
		if all[name] = list[0]; len(list) > 1 {
			all[name] = map[string]any{"anyOf": list}
		}
	}
	out := maps.Clone(n.schema)
	out["properties"] = all
	return out
}

// join returns a schema with the keywords of a and b. Keywords of b take precedence, and
// properties and required are merged.
func join(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range b {
		switch was := out[k].(type) {
		case map[string]any:
			if m, ok := v.(map[string]any); ok && k == "properties" {
				v = join(was, m)
			}
		case []any:
			if l, ok := v.([]any); ok && k == "required" {
				v = slices.Concat(was, l)
			}
		}
		out[k] = v
	}
	return out
}

// maxHelp limits the length of a field's explanation, in characters.
const maxHelp = 500

// field returns the field for one value. open are the references that enclose it.
func (r *reader) field(name string, v any, open []string) Field {
	r.left--
	n := r.resolve(v, open)
	p := n.schema
	f := Field{Name: name, Label: name, Default: p["default"], nullable: n.nullable, Kind: JSON}
	if title, ok := p["title"].(string); ok && title != "" {
		f.Label = title
	}
	f.Label = safetext.Name(f.Label)
	f.Help, _ = p["description"].(string)
	f.Help = safetext.Cut(strings.Join(strings.Fields(f.Help), " "), maxHelp)
	f.Secret = isSecret(name, p)
	if n.cut || r.left <= 0 {
		return f
	}
	f.Range, f.rules = rangeOf(p), rulesOf(p)
	var null bool
	f.types, null = typesOf(p)
	f.nullable = f.nullable || null
	r.choose(&f, n)
	f.hideSecret()
	if f.Kind == JSON {
		f.example = example(p, f.types)
	}
	return f
}

// hideSecret turns a secret into a single line, because only a single line can hide the input. It also
// marks the strings inside a secret as secrets, for example the words of a recovery phrase.
func (f *Field) hideSecret() {
	if !f.Secret {
		return
	}
	if f.Kind == LongText || f.Kind == JSON && (len(f.types) == 0 || slices.Contains(f.types, "string")) {
		f.Kind = Text
	}
	for i := range f.Members {
		f.Members[i].Secret = true
		f.Members[i].hideSecret()
	}
	if f.Item != nil {
		f.Item.Secret = true
		f.Item.hideSecret()
	}
}

// FirstSecret returns the first field for a secret, including fields within groups and lists.
func FirstSecret(list []Field) (f Field, ok bool) {
	for _, f := range list {
		if f.Secret {
			return f, true
		}
		inner := f.Members
		if f.Item != nil {
			inner = append(slices.Clip(inner), *f.Item)
		}
		if s, ok := FirstSecret(inner); ok {
			return s, true
		}
	}
	return Field{}, false
}

// choose sets the kind of a field and the properties of that kind.
func (r *reader) choose(f *Field, n node) {
	p := n.schema
	if f.Choices = options(p); len(f.Choices) > 0 {
		f.Kind = Choice
		if v, ok := p["const"]; ok && f.Default == nil {
			f.Default = v
		}
		return
	}
	switch f.only() {
	case "string":
		f.Kind = textKind(f.Name, p)
	case "number":
		f.Kind = Number
	case "integer":
		f.Kind = Integer
	case "boolean":
		f.Kind = Toggle
	case "array":
		if _, tuple := p["prefixItems"]; tuple || p["items"] == nil || len(n.open) > maxNested {
			return
		}
		if _, tuple := p["items"].([]any); tuple {
			return
		}
		items := r.resolve(p["items"], n.open)
		if choices := options(items.schema); len(choices) > 0 {
			f.Kind, f.Choices = MultiChoice, choices
			return
		}
		item := r.field("", p["items"], append(slices.Clip(n.open), "item"))
		if item.Required = true; item.Label == "" {
			item.Label = "Item"
		}
		f.Kind, f.Item = List, &item
	case "object":
		if deep := append(slices.Clip(n.open), "member"); len(deep) <= 2*maxNested {
			if f.Members = r.members(p, deep); len(f.Members) > 0 {
				f.Kind = Group
			}
		}
	}
}

// textKind returns the kind of field for a string.
func textKind(name string, p map[string]any) Kind {
	switch p["format"] {
	case "date":
		return Date
	case "time":
		return Time
	case "date-time":
		return Moment
	}
	if max := limitOf(p["maxLength"]); max != nil && max.value.Cmp(big.NewRat(200, 1)) > 0 || longName(name) {
		return LongText
	}
	return Text
}

// longName reports whether a string with this name usually has several lines.
func longName(name string) bool {
	switch strings.ToLower(name) {
	case "content", "contents", "text", "body", "message", "code", "prompt", "query", "script",
		"description", "comment", "comments", "note", "notes", "details", "instructions", "markdown":
		return true
	}
	return false
}
