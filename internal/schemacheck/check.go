// Package schemacheck validates values against JSON schemas that come from servers.
//
// It owns the limits for such schemas. The library follows references without a limit, so a schema
// that refers to itself would crash the process. The package must not depend on tools, models or
// the wording of errors.
package schemacheck

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Checker validates values against a schema. A nil Checker accepts everything. It is safe for concurrent
// use.
type Checker struct {
	schema   *jsonschema.Resolved
	branches int // see bounded
	steps    int
}

// The limits for compiling a schema, because the library's work grows faster than the schema.
const (
	maxChecked = 128 << 10 // bytes of JSON
	maxNested  = 64
	maxPattern = 1 << 10 // bytes of one pattern
	maxVisits  = 20_000  // values
)

// New compiles a schema. It returns nil for a schema that cannot be used: one with mistakes, of
// another draft, with references to other documents, or one whose check could take long.
func New(schema any) *Checker {
	root, ok := schema.(map[string]any)
	if !ok || !modest(root) {
		return nil
	}
	data, err := json.Marshal(root)
	if err != nil || len(data) > maxChecked {
		return nil
	}
	branches, steps, ok := bounded(root)
	if !ok {
		return nil
	}
	var compiled jsonschema.Schema
	if json.Unmarshal(data, &compiled) != nil {
		return nil
	}
	resolved, err := compiled.Resolve(nil)
	if err != nil {
		return nil
	}
	c := &Checker{resolved, branches, steps}
	// With a schema of another draft, each check fails with the same error.
	if err := c.validate(map[string]any{}); err != nil && strings.Contains(err.Error(), "cannot validate version") {
		return nil
	}
	return c
}

// Check returns the library's error if a JSON value does not match the schema. It returns nil if
// the value matches, or if the check could take long.
func (c *Checker) Check(value any) error {
	if c == nil || math.Pow(float64(c.branches), float64(depth(value))) > maxChecks || c.steps*nodes(value) > maxSteps {
		return nil
	}
	return c.validate(numbers(value))
}

// maxSteps limits the estimated steps of one check, if each value needs the most: about a second.
const maxSteps = 2e7

// nodes returns how many values a JSON value contains, including itself.
func nodes(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += nodes(e)
		}
	case []any:
		for _, e := range v {
			n += nodes(e)
		}
	}
	return n
}

// maxChecks limits the estimated number of schemas that one check applies.
const maxChecks = 1e6

// depth returns how deeply a JSON value is nested.
func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, depth(e))
		}
	case []any:
		for _, e := range v {
			deepest = max(deepest, depth(e))
		}
	default:
		return 0
	}
	return deepest + 1
}

func (c *Checker) validate(instance any) (err error) {
	defer func() {
		// The library panics for some values that its own tests do not cover. Accept the value
		// then.
		if recover() != nil {
			err = nil
		}
	}()
	return c.schema.Validate(instance)
}

// numbers returns a copy of a JSON value without json.Number, which the library would treat as a
// string.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = numbers(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = numbers(e)
		}
		return out
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil || math.IsInf(f, 0) {
			return f
		}
		return v.String()
	}
	return v
}
