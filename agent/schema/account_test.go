package schema

import (
	"slices"
	"strings"
	"testing"
)

// The changes list every keyword that the model gets in another form, and no keyword that it gets
// unchanged.
func TestChangesAreComplete(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []Change
	}{
		{"nothing", `{"$schema":"https://json-schema.org/draft/2020-12/schema","$comment":"x","type":"object","title":"T","description":"D.","properties":{"a":{"type":["string","null"],"format":"date","enum":["x"],"minimum":1},"b":{"type":"array","items":{"type":"string"},"prefixItems":[true],"minItems":1}},"required":["a"],"additionalProperties":false}`, nil},
		{"an inlined reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/P"}},"$defs":{"P":{"type":"string"}}}`, []Change{{"a", "$ref", Inlined}}},
		{"a reference at the root", `{"$ref":"#/$defs/P","$defs":{"P":{"type":"object"}}}`, []Change{{"", "$ref", Inlined}}},
		{"recursion", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, []Change{{"a", "$ref", Inlined}, {"a.a", "$ref", Recursion}}},
		{"no type", `{"properties":{}}`, []Change{{"", "type", Added}}},
		{"allOf", `{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"title":"T"}]}}}`, []Change{{"a", "allOf", Rewritten}}},
		{"const", `{"type":"object","properties":{"a":{"const":"x"}}}`, []Change{{"a", "const", Rewritten}}},
		{"a tuple of draft 7", `{"type":"object","properties":{"a":{"items":[{"type":"string"}]}}}`, []Change{{"a", "items", Rewritten}}},
		{"an extension", `{"type":"object","x-order":1,"properties":{"a":{"readOnly":true,"deprecated":true}}}`, []Change{{"a", "deprecated", Described}, {"a", "readOnly", Described}, {"", "x-order", Dropped}}},
		{"values twice", `{"type":"object","properties":{"a":{"enum":["x","x"]}}}`, []Change{{"a", "enum", Corrected}}},
		{"a long text", `{"type":"object","properties":{"a":{"description":"` + strings.Repeat("x", MaxWords+1) + `"}}}`, []Change{{"a", "description", Shortened}}},
		{"a reference that is a number", `{"type":"object","properties":{"a":{"$ref":7}}}`, []Change{{"a", "$ref", Dropped}}},
		{"two references", `{"type":"object","properties":{"a":{"$ref":"#/$defs/P","$dynamicRef":"#P"}},"$defs":{"P":{}}}`, []Change{{"a", "$ref", Inlined}, {"a", "$dynamicRef", Dropped}}},
		{"a branch for nothing", `{"type":"object","properties":{"a":{"anyOf":[false,{"type":"string"}]}}}`, []Change{{"a", "anyOf", Rewritten}}},
		{"then without if", `{"type":"object","properties":{"a":{"then":{"type":"string"}}}}`, []Change{{"a", "then", Dropped}}},
		{"wrong values", `{"type":"object","properties":{"a":{"uniqueItems":"yes","items":[],"prefixItems":7,"allOf":7,"required":7,"format":"","type":[]}}}`,
			[]Change{{"a", "allOf", Dropped}, {"a", "format", Dropped}, {"a", "items", Dropped}, {"a", "prefixItems", Dropped}, {"a", "required", Corrected}, {"a", "type", Dropped}, {"a", "uniqueItems", Dropped}}},
		{"a name without a property", `{"type":"object","properties":{"a":{"type":"object","required":["b"]}}}`, []Change{{"a", "required", Corrected}}},
	} {
		out, err := Translate(object(t, tt.in))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range tt.want {
			if !slices.Contains(out.Changes, c) {
				t.Errorf("%s: no %v in %v", tt.name, c, out.Changes)
			}
		}
		if len(out.Changes) != len(tt.want) {
			t.Errorf("%s: the changes are %v, want %v", tt.name, out.Changes, tt.want)
		}
	}
}

// If there are keywords beside a reference, both these and the rules of the definition apply.
func TestRulesBesideAReference(t *testing.T) {
	out := translated(t, object(t, `{"type":"object","properties":{"a":{"$ref":"#/$defs/P","description":"Mine.","enum":["x","y"],"minimum":3}},
		"$defs":{"P":{"type":"string","title":"P","description":"Theirs.","pattern":"^x","enum":["y","z"],"minimum":1}}}`))
	a := out["properties"].(map[string]any)["a"].(map[string]any)
	if got, want := a["description"], `Mine. Theirs. Must match "^x". Also: minimum 1.`; got != want {
		t.Errorf("the description is %q, want %q", got, want)
	}
	if !slices.Equal(a["enum"].([]any), []any{"y"}) || a["type"] != "string" || a["minimum"] != 3.0 {
		t.Errorf("the schema is %v", a)
	}
	both := translated(t, object(t, `{"type":"object","properties":{"a":{"const":"x","enum":["x","y"]}}}`))
	if got := both["properties"].(map[string]any)["a"].(map[string]any)["enum"]; !slices.Equal(got.([]any), []any{"x"}) {
		t.Errorf("const beside enum leaves %v", got)
	}
}
