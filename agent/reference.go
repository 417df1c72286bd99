package agent

import (
	"fmt"

	"goated/internal/exact"
	"goated/internal/lazyregexp"
	"goated/registry"
)

// refPrefix begins an argument that stands for a whole result.
const refPrefix = "result://"

// reference finds references in arguments.
var reference = lazyregexp.New(`^result://([0-9a-f]{12})$`)

// values returns the arguments of a call with the whole results in the place of references,
// in the form that the tool's schema accepts: as text, or as the JSON in them. If it accepts
// neither, they are text.
func (ds *declarations) values(from ResultStore, e registry.Entry, args map[string]any) (map[string]any, error) {
	if from == nil || !refers(args) {
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

// checkCall compares the arguments of a call with the schema of its tool, with the whole
// results in the place of references.
func (ds *declarations) checkCall(from ResultStore, e registry.Entry, args map[string]any) error {
	values, err := ds.values(from, e, args)
	if err != nil {
		return err
	}
	return ds.check(e, values)
}

// dereference returns arguments with each reference replaced by what value makes of the whole
// result. It copies what it changes.
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

// refers reports whether arguments hold a reference.
func refers(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if refers(e) {
				return true
			}
		}
	case []any:
		for _, e := range v {
			if refers(e) {
				return true
			}
		}
	case string:
		return reference.MatchString(v)
	}
	return false
}
