package schema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// The description contains each rule that the service lacks, and each difference is recorded as a
// change.
func TestRulesBecomeWords(t *testing.T) {
	for _, tt := range []struct {
		name, in, at string
		words        []string
		changes      []Change
	}{
		{"not", `{"properties":{"a":{"not":{"type":"string"}}}}`, "a", []string{`Must not follow {"type":"string"}.`}, []Change{{"a", "not", Described}}},
		{"a reference in a rule", `{"properties":{"a":{"not":{"$ref":"#/$defs/R"}},"b":{"patternProperties":{"^x":{"$ref":"#/$defs/T"}}}},"$defs":{"R":{"type":"string"},"T":{"properties":{"next":{"$ref":"#/$defs/T"}}}}}`, "a", []string{`Must not follow {"type":"string"}.`}, []Change{{"b", "patternProperties", Described}}},
		{"a reference in a rule to itself", `{"properties":{"b":{"patternProperties":{"^x":{"$ref":"#/$defs/T"}}}},"$defs":{"T":{"properties":{"next":{"$ref":"#/$defs/T"}}}}}`, "b", []string{`Members by pattern of their names: {"^x":{"properties":{"next":"T"}}}.`}, nil},
		{"condition", `{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]}}`, "", []string{`If {"properties":{"a":{"const":1}}}, then {"required":["b"]}.`}, []Change{{"", "if", Described}}},
		{"patterns of names", `{"properties":{"a":{"patternProperties":{"^x":{"type":"number"}}}}}`, "a", []string{`Members by pattern of their names: {"^x":{"type":"number"}}.`}, []Change{{"a", "patternProperties", Described}}},
		{"multiple", `{"properties":{"a":{"multipleOf":5,"uniqueItems":true}}}`, "a", []string{"A multiple of 5.", "All items differ."}, []Change{{"a", "multipleOf", Described}, {"a", "uniqueItems", Described}}},
		{"draft 4", `{"properties":{"a":{"minimum":0,"exclusiveMinimum":true}}}`, "a", []string{"More than 0."}, []Change{{"a", "exclusiveMinimum", Described}}},
		{"format", `{"properties":{"a":{"format":7}}}`, "a", []string{"Format: 7."}, []Change{{"a", "format", Described}}},
		{"minItems", `{"properties":{"a":{"minItems":"x"}}}`, "a", []string{`At least "x" items.`}, []Change{{"a", "minItems", Described}}},
		{"one of the names", `{"properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, "", []string{"Exactly one of these has to be given: a; b."}, []Change{{"", "oneOf", Described}}},
		{"unknown type", `{"properties":{"a":{"type":"Widget"}}}`, "a", []string{`Type: "Widget".`}, []Change{{"a", "type", Described}}},
		{"unknown reference", `{"properties":{"a":{"$ref":"https://example.com/x","description":"A."}}}`, "a", []string{"A."}, []Change{{"a", "$ref", Unknown}}},
	} {
		out, err := Translate(object(t, tt.in))
		if err != nil {
			t.Fatal(err)
		}
		node := out.Schema
		if tt.at != "" {
			node = node["properties"].(map[string]any)[tt.at].(map[string]any)
		}
		said, _ := node["description"].(string)
		for _, words := range tt.words {
			if !strings.Contains(said, words) {
				t.Errorf("%s: the description is %q, want %q", tt.name, said, words)
			}
		}
		for _, c := range tt.changes {
			if !slices.Contains(out.Changes, c) {
				t.Errorf("%s: the changes are %v, want %v", tt.name, out.Changes, c)
			}
		}
	}
}

// Translate corrects mistakes whose meaning is clear.
func TestCorrections(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"type words", `{"properties":{"a":{"type":"str"},"b":{"type":"INT"},"c":{"type":"dict"},"d":{"type":"float"},"e":{"type":"list"},"f":{"type":"bool"}}}`,
			`{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"object"},"d":{"type":"number"},"e":{"type":"array"},"f":{"type":"boolean"}}`},
		{"a type alone", `{"properties":{"a":"string","b":["int","null"],"c":{"items":"number"}}}`, `{"a":{"type":"string"},"b":{"type":["integer","null"]},"c":{"items":{"type":"number"}}}`},
		{"numbers as texts in an enum", `{"properties":{"a":{"type":"integer","enum":["1","2"]},"b":{"type":"integer","enum":["1","x"]}}}`, `{"a":{"type":"integer","enum":[1,2]},"b":{"type":"integer","enum":["1","x"]}}`},
		{"properties under a condition", `{"properties":{"k":{}},"if":{"required":["k"]},"then":{"properties":{"k":{"type":"string"},"x":{"type":"string"}}},"else":{"properties":{"y":{"type":"number"}}},"dependentSchemas":{"k":{"properties":{"z":{}}}}}`, `{"k":{},"x":{"type":"string"},"y":{"type":"number"},"z":{}}`},
		{"no properties beside those allowed", `{"properties":{"k":{}},"additionalProperties":false,"if":{"required":["k"]},"then":{"properties":{"x":{}}}}`, `{"k":{}}`},
		{"references in a circle", `{"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`, `{"a":{"description":"Has the same form as \"b\" above."},"b":{"description":"Has the same form as \"a\" above."}}`},
		{"any", `{"properties":{"a":{"type":"any"}}}`, `{"a":{}}`},
		{"date", `{"properties":{"a":{"type":"date"}}}`, `{"a":{"type":"string","format":"date"}}`},
		{"either", `{"properties":{"a":{"type":"string | none"}}}`, `{"a":{"type":["string","null"]}}`},
		{"type twice", `{"properties":{"a":{"type":["string","str"]}}}`, `{"a":{"type":"string"}}`},
		{"nullable", `{"properties":{"a":{"type":"string","nullable":true}}}`, `{"a":{"type":["string","null"]}}`},
		{"numbers as texts", `{"properties":{"a":{"minimum":"1","maximum":" 2.5 ","minItems":"3"}}}`, `{"a":{"minimum":1,"maximum":2.5,"minItems":3}}`},
		{"one value", `{"properties":{"a":{"enum":"x"}}}`, `{"a":{"enum":["x"]}}`},
		{"description as a list", `{"properties":{"a":{"description":["One.","Two."]}}}`, `{"a":{"description":"One. Two."}}`},
		{"escaped reference", `{"properties":{"a":{"$ref":"#/$defs/x~1y%20z"}},"$defs":{"x/y z":{"type":"string"}}}`, `{"a":{"type":"string"}}`},
		{"reference into a property", `{"properties":{"a":{"type":"array","items":{"type":"number"}},"b":{"$ref":"#/properties/a/items"}}}`, `{"a":{"type":"array","items":{"type":"number"}},"b":{"type":"number"}}`},
		{"nested definitions", `{"properties":{"a":{"$ref":"#/properties/b/$defs/x"},"b":{"$defs":{"x":{"type":"number"}}}}}`, `{"a":{"type":"number"},"b":{}}`},
		{"beside a reference", `{"properties":{"a":{"$ref":"#/$defs/P","properties":{"y":{"type":"number"}}}},"$defs":{"P":{"properties":{"x":{"type":"string"}}}}}`,
			`{"a":{"properties":{"x":{"type":"string"},"y":{"type":"number"}}}}`},
		{"anchor", `{"properties":{"a":{"$ref":"#x"}},"$defs":{"y":{"$anchor":"x","type":"number"}}}`, `{"a":{"type":"number"}}`},
		{"id", `{"$id":"https://example.com/root","properties":{"a":{"$ref":"item"}},"$defs":{"y":{"$id":"item","type":"number"}}}`, `{"a":{"type":"number"}}`},
	} {
		out, err := Translate(object(t, tt.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Schema["properties"]; !reflect.DeepEqual(got, any(object(t, tt.want))) {
			t.Errorf("%s: got %s, want %s", tt.name, compact(got, 1000), tt.want)
		}
	}
}

// Alternatives at the root become one object with the arguments of all.
func TestUnionAtTheRoot(t *testing.T) {
	out, err := Translate(object(t, `{"oneOf":[
		{"title":"By id","properties":{"kind":{"const":"id"},"id":{"type":"integer"}},"required":["kind","id"]},
		{"properties":{"kind":{"const":"name"},"name":{"type":"string"}},"required":["kind","name"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := object(t, `{"type":"object","properties":{"kind":{"enum":["id","name"]},"id":{"type":"integer"},"name":{"type":"string"}},"required":["kind"],
		"description":"The arguments follow one of these alternatives: By id (kind = \"id\", id); kind = \"name\", name."}`)
	if !reflect.DeepEqual(any(out.Schema), any(want)) {
		t.Errorf("got %s", compact(out.Schema, 2000))
	}
	if !slices.Contains(out.Changes, Change{"", "oneOf", Merged}) {
		t.Errorf("the changes are %v", out.Changes)
	}
	draft3 := object(t, `{"properties":{"a":{"type":"string","required":true},"b":{"type":"string","required":false}}}`)
	if out, err = Translate(draft3); err != nil || !reflect.DeepEqual(out.Schema["required"], []any{"a"}) {
		t.Errorf("required are %v, %v", out.Schema["required"], err)
	}
}

func TestSchemasThatCanNotBeDeclared(t *testing.T) {
	var wrong notASchema
	for _, in := range []any{false, "text", 7.0, []any{}} {
		if _, err := Translate(in); !errors.As(err, &wrong) {
			t.Errorf("%v: %v", in, err)
		}
	}
	long := map[string]any{}
	for i := range 600 {
		long[strings.Repeat("n", 300)+string(rune('a'+i%26))+string(rune('a'+i/26))] = map[string]any{"type": "string"}
	}
	var large TooLargeError
	if _, err := Translate(map[string]any{"properties": long}); !errors.As(err, &large) {
		t.Errorf("the error is %v", err)
	}
}

// Spelling out a rule takes little time, even if its references expand exponentially.
func TestReferencesInARuleAreBounded(t *testing.T) {
	defs := map[string]any{}
	for i := range 30 {
		all := make([]any, 30)
		for k := range all {
			all[k] = map[string]any{"$ref": fmt.Sprint("#/$defs/d", (i+k+1)%30)}
		}
		defs[fmt.Sprint("d", i)] = map[string]any{"anyOf": all}
	}
	began := time.Now()
	translated(t, map[string]any{"type": "object", "$defs": defs, "properties": map[string]any{"a": map[string]any{"not": map[string]any{"$ref": "#/$defs/d0"}}}})
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it takes %s", took)
	}
}
