// Package schemacheck checks values against JSON schemas that come from servers.
//
// It owns the limits that such a schema must keep: the library follows each reference
// without end, so a schema that refers to itself would end the process. It must not know
// tools, models or the words in which a fault is shown.
package schemacheck

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Checker checks values against a schema. A nil Checker accepts everything. It is safe for concurrent use.
type Checker struct {
	schema   *jsonschema.Resolved
	branches int // see bounder
	steps    int
}

// The limits of a schema that is compiled: the library's own work grows faster than a
// schema.
const (
	maxChecked = 128 << 10 // bytes of JSON
	maxNested  = 64
	maxPattern = 1 << 10 // bytes of one pattern
	maxVisits  = 20_000  // values
)

// New compiles a schema. It returns nil for a schema that cannot be checked: one with
// mistakes, of another draft, with references to other documents, or one whose check
// could take long.
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
	// A schema of another draft fails each check with the same error.
	if err := c.validate(map[string]any{}); err != nil && strings.Contains(err.Error(), "cannot validate version") {
		return nil
	}
	return c
}

// Check returns how a JSON value breaks the schema, in the words of the library; nil if it
// fits, or if the check could take long.
func (c *Checker) Check(value any) error {
	if c == nil || math.Pow(float64(c.branches), float64(depth(value))) > maxChecks || c.steps*nodes(value) > maxSteps {
		return nil
	}
	return c.validate(numbers(value))
}

// maxSteps is about how many steps one check may take if each value needs the most: a second.
const maxSteps = 2e7

// nodes returns how many values a JSON value has.
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

// maxChecks is about how many schemas one check may apply.
const maxChecks = 1e6

// depth returns how deep a JSON value is nested.
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
		// The library panics for some values that its own tests do not have. Such a
		// schema accepts everything.
		if recover() != nil {
			err = nil
		}
	}()
	return c.schema.Validate(instance)
}

// numbers returns a copy of a JSON value without json.Number, which the library takes
// for a text.
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
