package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

func translated(t *testing.T, in any) map[string]any {
	t.Helper()
	out, err := Translate(in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Schema
}

func TestTranslate(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"none", `null`, `{"type":"object"}`},
		{"kept", `{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"integer","minimum":1}},"required":["a"]}`},
		{"words", `{"$schema":"x","properties":{"a":{"type":"string","description":"A.","pattern":"^x","default":"x","minLength":2}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"A. Default: \"x\". At least 2 characters. Must match \"^x\"."}}}`},
		{"const", `{"properties":{"a":{"const":"x"},"b":{"const":true},"c":{"enum":["x",null]}}}`, `{"type":"object","properties":{"a":{"enum":["x"]},"b":{"description":"One of [true]."},"c":{"description":"One of [\"x\",null]."}}}`},
		{"a property named like a keyword", `{"properties":{"pattern":{"type":"string"},"properties":{"type":"object","properties":{"not":{"type":"null"}}}}}`, `{"type":"object","properties":{"pattern":{"type":"string"},"properties":{"type":"object","properties":{"not":{"type":"null"}}}}}`},
		{"definitions", `{"definitions":{"P":{"type":"string","pattern":"x"}},"properties":{"a":{"$ref":"#/definitions/P","description":"Mine."},"b":{"$ref":"https://evil/x"}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"Mine. Must match \"x\"."},"b":{}}}`},
		{"root reference", `{"$ref":"#/$defs/In","$defs":{"In":{"type":"object","properties":{"a":{"type":"string"}}}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{"recursion", `{"properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"next":{"$ref":"#/$defs/T"}}}}}`, `{"type":"object","properties":{"t":{"type":"object","properties":{"next":{"description":"Has the same form as \"T\" above.","type":"object"}}}}}`},
		{"allOf", `{"properties":{"x":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"number"}}}]}}}`, `{"type":"object","properties":{"x":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}}}}`},
		{"tuple", `{"properties":{"x":{"type":"array","items":[{"type":"string"},{"type":"number"}]}}}`, `{"type":"object","properties":{"x":{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]}}}`},
		{"required that is none", `{"properties":{"a":{}},"required":["a","b"]}`, `{"type":"object","properties":{"a":{},"b":{}},"required":["a","b"]}`},
		{"required that is forbidden", `{"properties":{"a":{}},"required":["a","b"],"additionalProperties":false}`, `{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`},
		{"allOf, the first of two", `{"properties":{"x":{"allOf":[{"items":{"type":"string"}},{"items":{"minimum":1}}]}}}`, `{"type":"object","properties":{"x":{"items":{"type":"string"},"description":"Also: items {\"minimum\":1}."}}}`},
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
		data, _ := json.Marshal(translated(t, in))
		var got any
		_ = json.Unmarshal(data, &got)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", tt.name, data, tt.want)
		}
	}
}

// A translated schema keeps everything up to and including the limit.
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
	if got := leaf(translated(t, nested(MaxDepth))); got["type"] != "string" {
		t.Errorf("at the largest depth there is %v", got)
	}
	if got := leaf(translated(t, nested(MaxDepth+1))); len(got) > 0 {
		t.Errorf("below the largest depth there is %v", got)
	}

	many := make(map[string]any)
	for i := range 2 * MaxNodes {
		many[fmt.Sprint("p", i)] = map[string]any{}
	}
	kept := translated(t, map[string]any{"properties": many})["properties"].(map[string]any)
	if len(kept) != MaxNodes-1 { // the root counts as a node, too
		t.Errorf("%d properties are left", len(kept))
	}

	for n, want := range map[int]int{MaxValues: MaxValues, MaxValues + 1: 0} {
		values := make([]any, n)
		for i := range values {
			values[i] = fmt.Sprint(i)
		}
		reduced := translated(t, map[string]any{"properties": map[string]any{"v": map[string]any{"enum": values}}})
		got, _ := reduced["properties"].(map[string]any)["v"].(map[string]any)["enum"].([]any)
		if len(got) != want {
			t.Errorf("of %d values, %d are left", n, len(got))
		}
	}
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(text, err)
	}
	return out
}
