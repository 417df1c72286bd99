package schemacheck

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(text, err)
	}
	return out
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct{ name, schema, args, want string }{
		{"fits", `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{"n":1}`, ""},
		{"whole number", `{"properties":{"n":{"type":"integer"}}}`, `{"n":1.0}`, ""},
		{"text for a number", `{"properties":{"n":{"type":"integer"}}}`, `{"n":"one"}`, "integer"},
		{"missing", `{"required":["path"]}`, `{}`, "path"},
		{"nested reference", `{"properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"string"}}}`, `{"a":1}`, "string"},
		{"root union", `{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":1,"b":2}`, "oneOf"},
		{"not", `{"properties":{"a":{"not":{"type":"string"}}}}`, `{"a":"x"}`, "not"},
		{"recursion", `{"properties":{"next":{"$ref":"#"},"n":{"type":"integer"}}}`, `{"next":{"next":{"n":"x"}}}`, "integer"},
		{"example with a type", `{"properties":{"n":{"type":"integer"}},"examples":[{"type":"bug","n":1}]}`, `{"n":"one"}`, "integer"},
		{"values with types", `{"properties":{"n":{"type":"integer"},"o":{"default":{"type":"bug"},"enum":[{"type":"bug"}],"const":{"pattern":"` + strings.Repeat("x", maxPattern+1) + `"}}}}`, `{"n":"one"}`, "integer"},
		{"pattern of names", `{"patternProperties":{"^x":{"type":"integer"}}}`, `{"x1":"a"}`, "integer"},
	} {
		c := New(object(t, tt.schema))
		if c == nil {
			t.Errorf("%s: no checker", tt.name)
			continue
		}
		err := c.Check(object(t, tt.args))
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	c := New(object(t, `{"properties":{"n":{"type":"integer","maximum":10}}}`))
	if err := c.Check(map[string]any{"n": json.Number("9")}); err != nil {
		t.Error(err)
	}
	if err := c.Check(map[string]any{"n": json.Number("12345678901234567890")}); err == nil {
		t.Error("a number above the maximum is accepted")
	}
	if err := c.Check(map[string]any{"n": json.Number("1.5")}); err == nil {
		t.Error("a fraction is accepted")
	}
}

// A schema whose check could take long accepts everything.
func TestCheckEndsSoon(t *testing.T) {
	for name, text := range map[string]string{
		"reference to itself":  `{"allOf":[{"$ref":"#"}]}`,
		"references in a loop": `{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`,
		"doubled": `{"$ref":"#/$defs/d0","$defs":{` + strings.Join(func() (out []string) {
			for i := range 40 {
				next := `{"$ref":"#/$defs/d` + string(rune('a'+(i+1)/26)) + string(rune('a'+(i+1)%26)) + `"}`
				out = append(out, `"d`+string(rune('a'+i/26))+string(rune('a'+i%26))+`":{"allOf":[`+next+`,`+next+`]}`)
			}
			return append(out, `"d0":{"$ref":"#/$defs/daa"}`)
		}(), ",") + `}}`,
		"remote":     `{"properties":{"a":{"$ref":"https://example.com/x"}}}`,
		"wrong type": `{"properties":{"a":{"type":"str"}}}`,
		"wrong type of a property with the name of a keyword": `{"properties":{"default":{"type":"str"}},"required":["b"]}`,
		"wrong type in a definition":                          `{"$defs":{"enum":{"properties":{"const":{"type":"str"}}}},"required":["b"]}`,
		"wrong keyword":                                       `{"properties":{"a":{"minimum":"1"}}}`,
		"other draft":                                         `{"$schema":"http://json-schema.org/draft-04/schema#","required":["a"]}`,
		"long pattern":                                        `{"properties":{"a":{"pattern":"` + strings.Repeat("(x*)*", 1000) + `"}}}`,
		"deep":                                                strings.Repeat(`{"items":`, 100) + `{}` + strings.Repeat(`}`, 100),
	} {
		began := time.Now()
		if err := New(object(t, text)).Check(map[string]any{"a": 1.0}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 10*time.Second { // takes milliseconds unless the machine is busy
			t.Errorf("%s: it took %v", name, took)
		}
	}
	twice := `{"properties":{"a":{"$ref":"#"}},"allOf":[{"properties":{"a":{"$ref":"#"}}}]}`
	args := map[string]any{}
	for range 60 {
		args = map[string]any{"a": args}
	}
	if err := New(object(t, twice)).Check(args); err != nil {
		t.Error(err)
	}
}

// The time of a check is limited for a large value, too. Earlier, each of its numbers was compared with
// each value of an enum. A long list that needs few steps is still checked.
func TestCheckOfManyValuesEndsSoon(t *testing.T) {
	many := func(n int) map[string]any { return map[string]any{"a": slices.Repeat([]any{1.5}, n)} }
	words := `"` + strings.Join(slices.Repeat([]string{"word"}, 10_000), `","`) + `"`
	enum := New(object(t, `{"properties":{"a":{"items":{"enum":[`+words+`]}}}}`))
	names := New(object(t, `{"properties":{"a":{"items":{"required":[`+words+`]}}}}`))
	few := New(object(t, `{"properties":{"a":{"items":{"enum":["a","b"]}}}}`))
	if enum == nil || names == nil || few == nil {
		t.Fatal("no checker")
	}
	for _, c := range []*Checker{enum, names} {
		if err := c.Check(many(100_000)); err != nil {
			t.Error("a check of 1,000,000,000 steps has an end")
		}
		if c.steps*nodes(many(1)) > maxSteps {
			t.Error("one value is not checked")
		}
	}
	if enum.Check(many(1)) == nil || few.Check(many(1_000_000)) == nil {
		t.Error("a value is not checked")
	}
}
