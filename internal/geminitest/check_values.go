package geminitest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// checkValues requires that the value of a keyword has the type of its field in the service's
// Schema message. protobuf's JSON parser enforces that: "Invalid value at
// '….properties[0].value.min_items' (TYPE_INT64), \"x\"". Only the OpenAPI form allows quoted
// numbers.
func checkValues(at string, node object) *failure {
	for _, keyword := range slices.Sorted(maps.Keys(node)) {
		value := node[keyword]
		kind := ""
		switch keyword {
		case "format", "title", "description", "$id", "$ref", "$anchor":
			if _, ok := value.(string); !ok {
				kind = "TYPE_STRING"
			}
		case "minimum", "maximum":
			if _, ok := double(value); !ok {
				kind = "TYPE_DOUBLE"
			}
		case "minItems", "maxItems":
			if n, ok := double(value); !ok || n != math.Trunc(n) || n < 0 {
				kind = "TYPE_INT64"
			}
		case "propertyOrdering":
			if !onlyTexts(value) {
				kind = "TYPE_STRING"
			}
		}
		if kind != "" {
			return invalid("Invalid value at '%s.%s' (%s), %v", at, snake(keyword), kind, value)
		}
	}
	return nil
}

// double returns the value of a JSON number. It reports false if the number does not fit into a
// double.
func double(value any) (float64, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// onlyTexts reports whether value is a list of strings.
func onlyTexts(value any) bool {
	list, ok := value.([]any)
	return ok && !slices.ContainsFunc(list, func(v any) bool { _, text := v.(string); return !text })
}

// maxMaxItems is the largest sum of all maxItems in a request that the service accepts. For a
// larger sum, it answers "Request contains an invalid argument."
// (github.com/googleapis/python-genai/issues/2170).
const maxMaxItems = 960

// sumMaxItems adds up the maxItems of a schema and of all schemas inside it.
func sumMaxItems(value any) int {
	sum := 0
	switch v := value.(type) {
	case object:
		if n, ok := double(v["maxItems"]); ok {
			sum += int(n)
		}
		for name, child := range v {
			if name != "enum" {
				sum += sumMaxItems(child)
			}
		}
	case []any:
		for _, child := range v {
			sum += sumMaxItems(child)
		}
	}
	return sum
}

// checkSums applies the limits for all declarations together.
func checkSums(req *generateRequest) *failure {
	sum := 0
	for _, t := range req.Tools {
		for _, d := range t.FunctionDeclarations {
			sum += sumMaxItems(d.ParametersJSONSchema)
		}
	}
	if sum > maxMaxItems {
		return invalid("Request contains an invalid argument.")
	}
	return nil
}

// checkResponseKeys refuses "$ref" in a response, where it refers to a part: "The referenced name …
// in function_response.response does not match to a display_name in the function_response.parts."
// (github.com/vercel/ai/issues/14369). No blob on this service has a display name, so every
// reference is invalid.
func checkResponseKeys(value any) *failure {
	switch v := value.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name == "$ref" {
				return invalid("The referenced name `%v` in function_response.response does not match to a display_name in the function_response.parts.", v[name])
			}
			if f := checkResponseKeys(v[name]); f != nil {
				return f
			}
		}
	case []any:
		for _, child := range v {
			if f := checkResponseKeys(child); f != nil {
				return f
			}
		}
	}
	return nil
}

// checkArgs requires the args of each call, even if they are empty. Gemini always sends them, and
// requires each part back unchanged (Thought signatures).
func checkArgs(req *generateRequest) *failure {
	for i, c := range req.Contents {
		for j, p := range c.Parts {
			if p.FunctionCall != nil && p.FunctionCall.Args == nil {
				return invalidField(fmt.Sprintf("contents[%d].parts[%d].function_call.args", i, j), "args is not specified")
			}
			if p.FunctionResponse != nil {
				if f := checkResponseKeys(p.FunctionResponse.Response); f != nil {
					return f
				}
			}
		}
	}
	return nil
}
