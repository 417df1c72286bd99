package agent

import (
	"fmt"

	"goated/internal/exact"
	"goated/internal/lazyregexp"
	"goated/registry"
)

// refPrefix is the prefix of an argument that stands for a whole stored result.
const refPrefix = "result://"

// reference matches an argument that is a reference.
var reference = lazyregexp.New(`^result://([0-9a-f]{12})$`)

// values returns the arguments of a call with each reference replaced by the whole result. The
// result is inserted as text, or as decoded JSON if the tool's schema accepts only that. If the
// schema accepts neither, it is inserted as text.
func (ds *declarations) values(from ResultStore, e registry.Entry, args map[string]any) (map[string]any, error) {
	if from == nil || !hasReference(args) {
		return args, nil
	}
	texts, err := dereference(from, args, func(text []byte) any { return string(text) })
	if err != nil || ds.check(e, texts) == nil {
		return texts, err
	}
	decoded, err := dereference(from, args, func(text []byte) any {
		var v any
		if exact.Decode(text, &v) != nil {
			return string(text)
		}
		return v
	})
	if err == nil && ds.check(e, decoded) == nil {
		return decoded, nil
	}
	return texts, err
}

// checkCall validates the arguments of a call against the schema of its tool, after replacing
// references by whole results.
func (ds *declarations) checkCall(from ResultStore, e registry.Entry, args map[string]any) error {
	values, err := ds.values(from, e, args)
	if err != nil {
		return err
	}
	return ds.check(e, values)
}

// dereference returns a copy of the arguments with each reference replaced by value of the whole
// result.
func dereference(from ResultStore, args map[string]any, value func(text []byte) any) (map[string]any, error) {
	var first error
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			out := make(map[string]any, len(v))
			for k, e := range v {
				out[k] = walk(e)
			}
			return out
		case []any:
			out := make([]any, len(v))
			for i, e := range v {
				out[i] = walk(e)
			}
			return out
		case string:
			m := reference.FindStringSubmatch(v)
			if m == nil {
				return v
			}
			text, err := from.Get(m[1])
			if err != nil && first == nil {
				first = fmt.Errorf("the argument %q: %w", v, err)
			}
			return value(text)
		}
		return v
	}
	out, _ := walk(args).(map[string]any)
	return out, first
}

// hasReference reports whether arguments contain a reference.
func hasReference(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if hasReference(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if hasReference(e) {
				return true
			}
		}
	case string:
		return reference.MatchString(v)
	}
	return false
}
