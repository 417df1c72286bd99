package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/internal/geminitest"
)

func TestParameters(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"none", `null`, `{"type":"object"}`},
		{"kept", `{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}`},
		{"words", `{"$schema":"x","properties":{"a":{"type":"string","description":"A.","pattern":"^x","default":"x","minLength":2}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"A. Default: \"x\". At least 2 characters. Must match \"^x\"."}}}`},
		{"const", `{"properties":{"a":{"const":"x"},"b":{"const":true},"c":{"enum":["x",null]}}}`, `{"type":"object","properties":{"a":{"enum":["x"]},"b":{"description":"One of [true]."},"c":{"description":"One of [\"x\",null]."}}}`},
		{"a property named like a keyword", `{"properties":{"pattern":{"type":"string"},"properties":{"type":"object","properties":{"not":{"type":"null"}}}}}`, `{"type":"object","properties":{"pattern":{"type":"string"},"properties":{"type":"object","properties":{"not":{"type":"null"}}}}}`},
		{"definitions", `{"definitions":{"P":{"type":"string","pattern":"x"}},"properties":{"a":{"$ref":"#/definitions/P","description":"Mine."},"b":{"$ref":"https://evil/x"}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"Mine."},"b":{}}}`},
		{"root reference", `{"$ref":"#/$defs/In","$defs":{"In":{"type":"object","properties":{"a":{"type":"string"}}}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"recursion", `{"properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"next":{"$ref":"#/$defs/T"}}}}}`, `{"type":"object","properties":{"t":{"type":"object","properties":{"next":{}}}}}`},
		{"allOf", `{"properties":{"x":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"number"}}}]}}}`, `{"type":"object","properties":{"x":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}}}}`},
		{"tuple", `{"properties":{"x":{"type":"array","items":[{"type":"string"},{"type":"number"}]}}}`, `{"type":"object","properties":{"x":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]}}}`},
		{"required that is none", `{"properties":{"a":{}},"required":["a","b"]}`, `{"type":"object","properties":{"a":{}},"required":["a"]}`},
		{"allOf, the first of two", `{"properties":{"x":{"allOf":[{"items":{"type":"string"}},{"items":{"minimum":1}}]}}}`, `{"type":"object","properties":{"x":{"items":{"type":"string"}}}}`},
		{"references that are not local", `{"properties":{"a":{"$ref":"P"},"b":{"$ref":"#/$defs/P/properties/x"}},"$defs":{"P":{"type":"string"}}}`, `{"type":"object","properties":{"a":{},"b":{}}}`},
		{"not an object", `{"type":"string","anyOf":[{"type":"object"}]}`, `{"type":"object"}`},
	} {
		var in, want any
		if err := json.Unmarshal([]byte(tt.in), &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(tt.want), &want); err != nil {
			t.Fatal(err)
		}
		data, _ := json.Marshal(parameters(in))
		var got any
		_ = json.Unmarshal(data, &got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", tt.name, data, tt.want)
		}
	}
}

// The limits of a reduced schema keep what is at the limit.
func TestSchemaLimits(t *testing.T) {
	nested := func(depth int) any {
		schema := map[string]any{"type": "string"}
		for range depth {
			schema = map[string]any{"properties": map[string]any{"a": schema}}
		}
		return schema
	}
	leaf := func(schema map[string]any) map[string]any {
		for {
			below, ok := schema["properties"].(map[string]any)
			if !ok {
				return schema
			}
			schema = below["a"].(map[string]any)
		}
	}
	if got := leaf(parameters(nested(maxDepth))); got["type"] != "string" {
		t.Errorf("at the largest depth there is %v", got)
	}
	if got := leaf(parameters(nested(maxDepth + 1))); len(got) > 0 {
		t.Errorf("below the largest depth there is %v", got)
	}

	many := make(map[string]any)
	for i := range 2 * maxNodes {
		many[fmt.Sprint("p", i)] = map[string]any{"type": "string"}
	}
	kept := parameters(map[string]any{"properties": many})["properties"].(map[string]any)
	if len(kept) != maxNodes-1 { // the root is a node too
		t.Errorf("%d properties are left", len(kept))
	}
	for name, p := range kept {
		if p.(map[string]any)["type"] != "string" {
			t.Errorf("%s is %v", name, p)
		}
	}

	for n, want := range map[int]int{maxValues: maxValues, maxValues + 1: 0} {
		values := make([]any, n)
		for i := range values {
			values[i] = fmt.Sprint(i)
		}
		reduced := parameters(map[string]any{"properties": map[string]any{"v": map[string]any{"enum": values}}})
		got, _ := reduced["properties"].(map[string]any)["v"].(map[string]any)["enum"].([]any)
		if len(got) != want {
			t.Errorf("of %d values, %d are left", n, len(got))
		}
	}
}

// Whatever a server declares, the request that declares it is accepted.
func TestPropertyAnySchemaIsAccepted(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
	g := gemini(t, s)
	rapid.Check(t, func(t *rapid.T) {
		schema, _ := randomSchema(3).Draw(t, "schema").(map[string]any)
		box := &toolbox{}
		box.reg.Set("box", false, []*mcp.Tool{{Name: rapid.String().Draw(t, "name"), InputSchema: schema}})
		session := &Session{Model: g, Tools: box}
		for _, err := range session.Send(t.Context(), genai.NewPartFromText("hi")) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func randomSchema(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		out := map[string]any{}
		for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
			"type", "format", "enum", "const", "default", "pattern", "minLength", "exclusiveMinimum", "properties", "required",
			"items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "if", "$ref", "$schema", "$comment", "examples", "additionalProperties",
			"patternProperties", "definitions", "$defs", "minimum", "maxItems", "description", "title", "x-vendor", "nullable",
		}), 0, 6, rapid.ID).Draw(t, "keywords") {
			sub := func() any {
				if depth == 0 {
					return rapid.SampledFrom([]any{true, false, map[string]any{"type": "string"}}).Draw(t, "leaf")
				}
				return randomSchema(depth-1).Draw(t, "sub")
			}
			name := rapid.SampledFrom([]string{"a", "b", "enum", "$ref", "type"})
			switch k {
			case "type":
				out[k] = rapid.SampledFrom([]any{"string", "object", "array", "number", "boolean", []any{"string", "null"}}).Draw(t, k)
			case "enum":
				out[k] = rapid.SampledFrom([]any{[]any{"a", "b"}, []any{1.0, 2.0}, []any{"a", nil}, []any{true}, []any{}}).Draw(t, k)
			case "const", "default", "examples":
				out[k] = rapid.SampledFrom([]any{"a", 1.0, true, nil, []any{"a"}}).Draw(t, k)
			case "properties", "definitions", "$defs", "patternProperties":
				out[k] = map[string]any{name.Draw(t, "name"): sub(), name.Draw(t, "name"): sub()}
			case "required":
				out[k] = []any{name.Draw(t, "required")}
			case "items", "not", "if", "additionalProperties":
				out[k] = sub()
			case "prefixItems", "anyOf", "oneOf", "allOf":
				out[k] = []any{sub(), sub()}
			case "$ref":
				out[k] = rapid.SampledFrom([]any{"#/$defs/a", "#/definitions/b", "#", "https://x/y", "#/$defs/none", "#/properties/a"}).Draw(t, k)
			case "minLength", "exclusiveMinimum", "minimum", "maxItems":
				out[k] = 1.0
			case "nullable":
				out[k] = true
			default:
				out[k] = "text"
			}
		}
		return out
	})
}
