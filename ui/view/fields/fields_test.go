package fields

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"goated/internal/exact"
)

// of parses a schema as a server would send it.
func of(t *testing.T, text string) []Field {
	t.Helper()
	var v any
	if err := exact.Decode([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	list, err := FromSchema(v)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// outline formats fields as name:kind, with members in braces and items in brackets.
func outline(list []Field) string {
	kinds := []string{"text", "long", "number", "integer", "toggle", "choice", "choices", "date", "time", "moment", "group", "list", "json"}
	var parts []string
	for _, f := range list {
		s := f.Name + ":" + kinds[f.Kind]
		if f.Required && f.Name != "" {
			s += "!"
		}
		if f.Kind == Group {
			s += "{" + outline(f.Members) + "}"
		}
		if f.Item != nil {
			s += "[" + outline([]Field{*f.Item}) + "]"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

// Schemas as pydantic, zod and people write them become fields that suit their values.
func TestSchemasBecomeFields(t *testing.T) {
	for name, tt := range map[string]struct{ schema, want string }{
		"reference": {`{"properties":{"home":{"$ref":"#/$defs/Address"}},"required":["home"],
			"$defs":{"Address":{"type":"object","properties":{"street":{"type":"string"},"number":{"type":"integer"}},"required":["street"]}}}`,
			"home:group!{street:text! number:integer}"},
		"escaped reference":        {`{"properties":{"a":{"$ref":"#/$defs/a~1b~0c%20d"}},"$defs":{"a/b~c d":{"type":"boolean"}}}`, "a:toggle"},
		"reference to a reference": {`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"$ref":"#/$defs/y"},"y":{"type":"integer"}}}`, "a:integer"},
		"recursion": {`{"properties":{"tree":{"$ref":"#/$defs/Node"}},
			"$defs":{"Node":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}}`,
			"tree:group{children:list[:json] name:text}"},
		"alternatives":            {`{"type":"object","oneOf":[{"properties":{"url":{"type":"string"}},"required":["url"]},{"$ref":"#/$defs/id"}],"$defs":{"id":{"properties":{"id":{"type":"integer"}},"required":["id"]}}}`, "id:integer url:text"},
		"alternatives with a tag": {`{"anyOf":[{"properties":{"kind":{"const":"circle"},"radius":{"type":"number"}}},{"properties":{"kind":{"const":"square"},"side":{"type":"number"}}}]}`, "kind:choice radius:number side:number"},
		"a reference to itself":   {`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/a"}}}`, "a:json"},
		"texts of several lines":  {`{"properties":{"description":{"type":"string"},"notes":{"type":"string"},"comment":{"type":"string"},"zip_code":{"type":"string"}}}`, "comment:long description:long notes:long zip_code:text"},
		"a reference to nothing":  {`{"properties":{"a":{"$ref":"#/nowhere"},"b":{"$ref":"https://evil.example/x"}}}`, "a:json b:json"},
		"the root is a reference": {`{"$ref":"#/$defs/Args","$defs":{"Args":{"type":"object","properties":{"n":{"type":"number"}}}}}`, "n:number"},
		"nullable":                {`{"properties":{"a":{"anyOf":[{"type":"integer"},{"type":"null"}],"default":null},"b":{"type":["string","null"]}}}`, "a:integer b:text"},
		"nullable reference":      {`{"properties":{"c":{"anyOf":[{"$ref":"#/$defs/Color"},{"type":"null"}]}},"$defs":{"Color":{"enum":["red","blue"],"type":"string"}}}`, "c:choice"},
		"allOf":                   {`{"properties":{"a":{"allOf":[{"$ref":"#/$defs/A"}],"description":"An a"}},"$defs":{"A":{"properties":{"x":{"type":"string"}},"required":["x"],"type":"object"}}}`, "a:group{x:text!}"},
		"allOf of two":            {`{"properties":{"a":{"allOf":[{"properties":{"x":{"type":"string"}}},{"properties":{"y":{"type":"number"}},"required":["y"]}]}}}`, "a:group{y:number! x:text}"},
		"list of objects": {`{"properties":{"rows":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"when":{"type":"string","format":"date-time"}}}}}}`,
			"rows:list[:group{id:integer when:moment}]"},
		"list of texts":       {`{"properties":{"tags":{"type":"array","items":{"type":"string"}}}}`, "tags:list[:text]"},
		"list of choices":     {`{"properties":{"tags":{"type":"array","items":{"enum":["a","b"]}}}}`, "tags:choices"},
		"tuple":               {`{"properties":{"at":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}]}}}`, "at:json"},
		"dates":               {`{"properties":{"a":{"type":"string","format":"date"},"b":{"type":"string","format":"time"},"c":{"type":"string","format":"date-time"}}}`, "a:date b:time c:moment"},
		"map":                 {`{"properties":{"env":{"type":"object","additionalProperties":{"type":"string"}}}}`, "env:json"},
		"several types":       {`{"properties":{"id":{"type":["string","integer"]}}}`, "id:json"},
		"anything":            {`{"properties":{"a":true,"b":{},"c":{"description":"?"}}}`, "a:json b:json c:json"},
		"constant":            {`{"properties":{"kind":{"const":"cat"}}}`, "kind:choice"},
		"union of objects":    {`{"properties":{"pet":{"oneOf":[{"type":"object","properties":{"meow":{}}},{"type":"object","properties":{"bark":{}}}]}}}`, "pet:json"},
		"not an object":       {`{"type":"string"}`, ""},
		"required and absent": {`{"properties":{"a":{"type":"string"}},"required":["a","b","a"]}`, "a:text!"},
	} {
		if got := outline(of(t, tt.schema)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// A schema whose references multiply quickly becomes a form with a limited number of fields.
func TestMultiplyingReferencesAreBounded(t *testing.T) {
	var defs []string
	for i := range 12 {
		var members []string
		for j := range 10 {
			members = append(members, fmt.Sprintf(`"m%d":{"$ref":"#/$defs/d%d"}`, j, i+1))
		}
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{%s}}`, i, strings.Join(members, ",")))
	}
	list := of(t, `{"properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`+strings.Join(defs, ",")+`,"d12":{"type":"string"}}}`)
	var count func([]Field) int
	count = func(list []Field) (n int) {
		for _, f := range list {
			n += 1 + count(f.Members)
		}
		return n
	}
	if n := count(list); n > maxFields+12*10 {
		t.Errorf("the form has %d fields", n)
	}
}

// Each rule of a schema has a message that names the field and the rule, and rejects values that
// violate it.
func TestFieldsSayWhatTheyWant(t *testing.T) {
	list := of(t, `{"properties":{
		"short":{"type":"string","maxLength":3},
		"name":{"type":"string","minLength":1},
		"code":{"type":"string","pattern":"^[A-Z]{2}$"},
		"ahead":{"type":"string","pattern":"(?=x)"},
		"mail":{"type":"string","format":"email"},
		"link":{"type":"string","format":"uri"},
		"day":{"type":"string","format":"date"},
		"hour":{"type":"string","format":"time"},
		"when":{"type":"string","format":"date-time"},
		"step":{"type":"integer","multipleOf":5},
		"open":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},
		"old":{"type":"number","minimum":0,"exclusiveMinimum":true},
		"id":{"type":["string","integer"]},
		"point":{"type":"object","properties":{"x":{"type":"integer","maximum":9}},"required":["x"]},
		"rows":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"minItems":1,"maxItems":2}
		},"required":["when","name"]}`)
	field := make(map[string]Field)
	for _, f := range list {
		field[f.Name] = f
	}
	for _, tt := range []struct{ name, input, says, want string }{
		{"short", "abc", "", `"abc"`}, {"short", "abcd", "short must have at most 3 characters", ""},
		{"name", "", "name must have at least 1 character", ""},
		{"code", "AB", "", `"AB"`}, {"code", "ab", "code must have the form ^[A-Z]{2}$", ""},
		{"ahead", "anything", "", `"anything"`},
		{"mail", "a@b.example", "", `"a@b.example"`}, {"mail", "a at b", "mail must be an e-mail address like name@example.org", ""},
		{"link", "https://a.example/x", "", `"https://a.example/x"`}, {"link", "a.example", "link must be an address like https://example.org", ""},
		{"day", "2026-02-28", "", `"2026-02-28"`}, {"day", "2026-02-30", "day must be a date like 2026-03-31", ""},
		{"hour", "7:05", "", `"07:05:00"`}, {"hour", "07:05:30+01:00", "", `"07:05:30+01:00"`}, {"hour", "25:00", "hour must be a time like 14:30", ""},
		{"when", "", "when is required", ""}, {"when", "2026-03-31T14:30:00Z", "", `"2026-03-31T14:30:00Z"`}, {"when", "tomorrow", "when must be a date and a time like 2026-03-31 14:30", ""},
		{"step", "10", "", "10"}, {"step", "12", "step must be a multiple of 5", ""},
		{"open", "0.5", "", "0.5"}, {"open", "0", "open must be more than 0", ""}, {"open", "1", "open must be less than 1", ""},
		{"old", "0", "old must be more than 0", ""},
		{"id", "7", "", "7"}, {"id", "seven", "", `"seven"`}, {"id", "true", "", `"true"`},
		{"point", `{"x":9}`, "", `{"x":9}`}, {"point", `{"x":10}`, "point: x must be at most 9", ""}, {"point", `{}`, "point: x is required", ""}, {"point", `[]`, "point must be object", ""},
		{"rows", `[{"n":12345678901234567890}]`, "", `[{"n":12345678901234567890}]`}, {"rows", `[]`, "rows must have at least 1 item", ""},
		{"rows", `[{"n":"x"}]`, "rows: Item 1: n must be integer", ""}, {"rows", `[{"n":1},{"n":1},{"n":1}]`, "rows must have at most 2 items", ""},
	} {
		v, _, err := field[tt.name].Parse(tt.input)
		said := ""
		if err != nil {
			said = err.Error()
		}
		data, _ := json.Marshal(v)
		if said != tt.says || tt.says == "" && string(data) != tt.want {
			t.Errorf("%s: Parse(%q) = %s, %q; want %s, %q", tt.name, tt.input, data, said, tt.want, tt.says)
		}
	}
}

// A date and time without a time zone is in the user's time zone. The value has that zone's
// offset, because RFC 3339 requires one.
func TestMomentsAreInTheUsersZone(t *testing.T) {
	f := of(t, `{"properties":{"when":{"type":"string","format":"date-time"}}}`)[0]
	want := time.Date(2026, 3, 31, 14, 30, 0, 0, time.Local).Format(time.RFC3339)
	if v, _, err := f.Parse("2026-03-31 14:30"); err != nil || v != want {
		t.Errorf("%v, %v; want %s", v, err, want)
	}
	if got := f.WithDay(time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC), "2026-03-31 14:30"); got != "2027-01-02 14:30" {
		t.Errorf("on another day it is %q", got)
	}
}

// A step stays within the range and keeps every digit.
func TestSteps(t *testing.T) {
	list := of(t, `{"properties":{"n":{"type":"integer","minimum":1,"maximum":3},"big":{"type":"integer"},"even":{"type":"integer","multipleOf":2,"minimum":4}}}`)
	for _, tt := range []struct {
		field int
		text  string
		up    bool
		want  string
	}{
		{2, "", true, "1"}, {2, "1", true, "2"}, {2, "3", true, "3"}, {2, "1", false, "1"},
		{0, "12345678901234567890", true, "12345678901234567891"}, {0, "0", false, "-1"},
		{1, "", true, "4"}, {1, "4", true, "6"}, {1, "4", false, "4"},
	} {
		if got := list[tt.field].Step(tt.text, tt.up); got != tt.want {
			t.Errorf("%s: a step from %q (up %t) leads to %q, want %q", list[tt.field].Name, tt.text, tt.up, got, tt.want)
		}
	}
	if _, _, step, ok := list[2].Slider(); !ok || Decimal(step) != "1" {
		t.Error("1 to 3 has no slider")
	}
	if _, _, _, ok := list[0].Slider(); ok {
		t.Error("a number without bounds has a slider")
	}
}
