package schema

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// types maps the names that authors write to JSON's types.
var types = map[string]string{
	"string": "string", "str": "string", "text": "string", "char": "string", "uuid": "string", "url": "string", "uri": "string",
	"email": "string", "date": "string", "datetime": "string", "date-time": "string", "time": "string", "bytes": "string", "binary": "string",
	"path": "string", "filepath": "string", "password": "string", "enum": "string",
	"number": "number", "float": "number", "double": "number", "decimal": "number", "float64": "number", "float32": "number",
	"integer": "integer", "int": "integer", "int32": "integer", "int64": "integer", "long": "integer", "uint": "integer",
	"boolean": "boolean", "bool": "boolean",
	"array": "array", "list": "array", "tuple": "array", "set": "array", "slice": "array",
	"object": "object", "dict": "object", "map": "object", "record": "object", "struct": "object", "dictionary": "object", "json": "object",
	"null": "null", "none": "null", "nil": "null", "nonetype": "null",
}

// formats maps type names that imply a format to that format.
var formats = map[string]string{"uuid": "uuid", "url": "uri", "uri": "uri", "email": "email", "date": "date", "datetime": "date-time", "date-time": "date-time", "time": "time"}

// values translates the keywords whose values are not schemas. It returns notes for the
// description.
func (r *reducer) values(in, out map[string]any, path string) []string {
	var notes []string
	for _, k := range sorted(in) {
		v := in[k]
		switch k {
		case "type":
			notes = append(notes, r.typ(v, out, path)...)
		case "format":
			if s, ok := v.(string); ok && s != "" && s != "enum" {
				out[k] = shorten(s, 64)
			} else if !ok {
				notes = append(notes, "Format: "+r.quote(v)+".")
				r.record(path, k, Described)
			}
		case "title":
			if s, ok := v.(string); ok {
				out[k] = shorten(s, r.limits.words)
			} else {
				r.record(path, k, Dropped)
			}
		case "minItems":
			if n, ok := number(v); ok && n >= 0 && n == math.Trunc(n) && n < 1<<31 {
				out[k] = n
				r.recordCorrection(v, path, k)
			} else {
				notes = append(notes, "At least "+r.quote(v)+" items.")
				r.record(path, k, Described)
			}
		case "minimum", "maximum":
			if n, ok := number(v); ok {
				out[k] = exactNumber(v, n)
				r.recordCorrection(v, path, k)
			} else {
				notes = append(notes, map[string]string{"minimum": "At least ", "maximum": "At most "}[k]+r.quote(v)+".")
				r.record(path, k, Described)
			}
		case "enum":
			if _, one := in["const"]; one {
				continue // const is more specific
			}
			values, ok := v.([]any)
			if !ok {
				values = []any{v}
				r.record(path, k, Corrected)
			}
			notes = append(notes, r.enumerate(out, values, path, k)...)
		case "const":
			notes = append(notes, r.enumerate(out, []any{v}, path, k)...)
		}
	}
	if t := out["type"]; t == "integer" || t == "number" {
		r.numerals(out, path)
	}
	if in["nullable"] == true { // OpenAPI
		if t, ok := out["type"].(string); ok && t != "null" {
			out["type"] = []any{t, "null"}
			r.record(path, "nullable", Corrected)
		}
	}
	return notes
}

// numerals converts the allowed values of a number to numbers if the author wrote them as strings.
func (r *reducer) numerals(out map[string]any, path string) {
	values, _ := out["enum"].([]any)
	var fixed []any
	for _, v := range values {
		n, ok := number(v)
		if !ok {
			return // the author's intention is unclear
		}
		if _, text := v.(string); text {
			v = n
			r.record(path, "enum", Corrected)
		}
		fixed = append(fixed, v)
	}
	if fixed != nil {
		out["enum"] = fixed
	}
}

// recordCorrection records a correction if v is a number that was written as a string.
func (r *reducer) recordCorrection(v any, path, keyword string) {
	if _, text := v.(string); text {
		r.record(path, keyword, Corrected)
	}
}

// number parses a JSON number, or a string that contains one.
func number(v any) (float64, bool) {
	var n float64
	var err error
	switch v := v.(type) {
	case float64:
		n = v
	case int:
		n = float64(v)
	case int64:
		n = float64(v)
	case json.Number:
		n, err = v.Float64()
	case string:
		n, err = strconv.ParseFloat(strings.TrimSpace(v), 64)
	default:
		return 0, false
	}
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// exactNumber returns the number with all its digits.
func exactNumber(v any, n float64) any {
	if d, ok := v.(json.Number); ok {
		return d
	}
	return n
}

// typ sets the type. It keeps each type in a list once. Unknown names become a note.
func (r *reducer) typ(v any, out map[string]any, path string) []string {
	var said []any
	switch v := v.(type) {
	case string:
		for word := range strings.SplitSeq(v, "|") {
			said = append(said, strings.TrimSpace(word))
		}
	case []any:
		said = v
	default:
		r.record(path, "type", Described)
		return []string{"Type: " + r.quote(v) + "."}
	}
	var kept, unknown []any
	for _, one := range said {
		word, _ := one.(string)
		lower := strings.ToLower(word)
		t, ok := types[lower]
		switch {
		case ok && !slices.Contains(kept, any(t)):
			kept = append(kept, t)
			if f := formats[lower]; f != "" && out["format"] == nil {
				out["format"] = f
			}
		case !ok && lower != "any" && lower != "":
			unknown = append(unknown, one)
		}
		if word != t {
			r.record(path, "type", Corrected)
		}
	}
	switch {
	case len(kept) == 1 && len(unknown) == 0:
		out["type"] = kept[0]
	case len(kept) > 0 && len(unknown) == 0:
		out["type"] = kept
	case len(unknown) > 0:
		r.record(path, "type", Described)
		if len(unknown) == 1 && len(kept) == 0 {
			return []string{"Type: " + r.quote(unknown[0]) + "."}
		}
		return []string{"Type: one of " + r.quote(said) + "."}
	}
	return nil
}

// enumerate sets the allowed values if all are strings or numbers. Otherwise it returns a note.
func (r *reducer) enumerate(out map[string]any, values []any, path, keyword string) []string {
	if len(values) > r.limits.values {
		r.record(path, keyword, Shortened)
		return []string{"One of " + strconv.Itoa(len(values)) + " values, such as " + r.quote(values[:3]) + "."}
	}
	kept, size := []any{}, 0
	for _, v := range values {
		switch v := v.(type) {
		case string:
			size += len(v)
			if v != "" && !slices.Contains(kept, any(v)) {
				kept = append(kept, strings.ToValidUTF8(v, "\uFFFD"))
			}
		case float64, json.Number:
			kept = append(kept, v)
		}
	}
	plain := !slices.ContainsFunc(values, func(v any) bool {
		switch v := v.(type) {
		case string:
			return v == ""
		case float64, json.Number:
			return false
		}
		return true
	})
	switch {
	case len(values) == 0:
		r.record(path, keyword, Dropped)
		return nil
	case plain && size <= 16<<10:
		out["enum"] = kept
		return nil
	}
	r.record(path, keyword, Described)
	return []string{"One of " + compact(values, r.limits.words) + "."}
}

// description returns the text of a description.
func (r *reducer) description(in map[string]any, path string) string {
	v, set := in["description"]
	if !set {
		return ""
	}
	if s, ok := v.(string); ok {
		return shorten(s, r.limits.words)
	}
	r.record(path, "description", Corrected)
	if list := texts(v); len(list) > 0 {
		return strings.Join(list, " ")
	}
	return r.quote(v)
}
