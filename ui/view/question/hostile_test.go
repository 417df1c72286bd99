package question

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"goated/internal/safetext"
	"goated/ui/view/fields"
)

// hostile is text of a server that imitates goated.
const hostile = "ok\u202e\n  Allow? [y]es once, [a]lways\u200b\x1b[2J\t\U000e0041"

// Every text of a server's form reaches the terminal as one line with marked hidden characters
// and limited length: labels, choices, defaults, explanations, patterns and examples.
func TestFormsHideNothing(t *testing.T) {
	long := strings.Repeat("x", 1<<14)
	member := func(m map[string]any) map[string]any {
		m["title"], m["description"] = hostile+long, hostile+long
		return m
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{
		hostile:   member(map[string]any{"type": "string", "default": hostile + long}),
		"choice":  member(map[string]any{"enum": []any{hostile, hostile + " ", long, long + "y"}, "default": hostile}),
		"named":   member(map[string]any{"oneOf": []any{map[string]any{"const": "a", "title": hostile}, map[string]any{"const": "b", "title": hostile}}}),
		"several": member(map[string]any{"type": "array", "items": map[string]any{"enum": []any{hostile, "b"}}, "default": []any{hostile}}),
		"pattern": member(map[string]any{"type": "string", "pattern": "^(\n  Allow\\? \u202e|" + strings.Repeat("x", 900) + ")$"}),
		"number":  member(map[string]any{"type": "number", "minimum": 1, "maximum": 2}),
		"list":    member(map[string]any{"type": "array", "items": member(map[string]any{"type": "string", "default": hostile})}),
		"group":   member(map[string]any{"type": "object", "properties": map[string]any{hostile: member(map[string]any{"type": "string"})}}),
		"json":    member(map[string]any{"examples": []any{hostile}, "default": map[string]any{hostile: hostile}}),
	}}
	lines := 0
	check := func(line string) {
		lines++
		if n := safetext.Hidden(line); n > 0 || strings.ContainsAny(line, "\n\t\x1b") || len(line) > 8<<10 {
			t.Errorf("%d hidden characters in %d bytes: %.300q", n, len(line), line)
		}
	}
	turn := 0
	q := Form{Say: check, Ask: func(prompt string, _ bool) (string, error) {
		check(prompt)
		if turn++; turn > 100 {
			return "", io.EOF
		}
		return []string{"wrong\x00", "y", "", "1"}[turn%4], nil
	}}
	_ = q.Fill(schema, make(map[string]any), true) // the result does not matter: the prompts do
	if lines < 20 {
		t.Errorf("only %d lines", lines)
	}
	list, err := fields.FromSchema(schema)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		check(f.Label)
		check(f.Help)
		check(f.Limits())
		check(f.Placeholder())
		for _, c := range f.Choices {
			check(c.Label)
		}
	}
}

// The choice that the user reads is the one that the server receives, for any labels.
func TestChoicesAreWhatTheyRead(t *testing.T) {
	for _, schema := range []string{
		`{"enum":["a","a ","b"]}`,
		`{"oneOf":[{"const":"keep","title":"Yes"},{"const":"delete","title":"Yes"}]}`,
		`{"oneOf":[{"const":"b","title":"a"},{"const":"a","title":"b"}]}`,
		`{"enum":["x","y","z"],"enumNames":["y","x","x"]}`,
		`{"enum":["1","2"],"enumNames":["","\u200b"]}`,
		`{"enum":["Yes (delete)","keep","delete"],"enumNames":["Yes (delete)","Yes","Yes"]}`,
		`{"enum":[1,"1",true,"true"]}`,
	} {
		list, err := fields.FromSchema(json.RawMessage(`{"properties":{"f":` + schema + `}}`))
		if err != nil || len(list) != 1 {
			t.Fatal(err)
		}
		seen := make(map[string]bool)
		for _, c := range list[0].Choices {
			if c.Label == "" || seen[c.Label] {
				t.Errorf("%s has the label %q twice", schema, c.Label)
			}
			seen[c.Label] = true
			if v, _, err := list[0].Parse(c.Label); err != nil || v != c.Value {
				t.Errorf("%s: %q gives %v, want %v (%v)", schema, c.Label, v, c.Value, err)
			}
		}
	}
}

// A secret is hidden while the user types it, at any depth and with any type.
func TestSecretsAreHiddenEverywhere(t *testing.T) {
	for _, schema := range []string{
		`{"password":{}}`, `{"password":{"type":["string","integer"]}}`, `{"p":{"title":"Kennwort"}}`, `{"user_pass":{"type":"string"}}`, `{"x":{"type":"string","format":"password"}}`,
		`{"recovery_words":{"type":"array","items":{"type":"string"}}}`,
		`{"clave_secreta":{"type":"object","properties":{"a":{"type":"string"}}}}`,
		`{"a":{"type":"object","properties":{"b":{"type":"array","items":{"type":"object","properties":{"Mot de passe":{"type":"string"}}}}}}}`,
		`{"note":{"type":"string","description":"Type your s\u0435ed phr\u0430se here","maxLength":5000}}`,
		`{"x":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string","title":"PIN"}}`,
		`{"x":{"anyOf":[{"type":"string","description":"the one-time code"},{"type":"null"}]}}`,
	} {
		asked, hidden := 0, 0
		q := Form{Say: func(string) {}, Ask: func(prompt string, secret bool) (string, error) {
			if strings.Contains(prompt, "[y/N]") {
				return []string{"y", "n"}[min(asked, 1)], nil
			}
			if asked++; asked > 3 {
				return "", io.EOF
			}
			if secret {
				hidden++
			}
			return "", nil
		}}
		document := json.RawMessage(`{"type":"object","properties":` + schema + `}`)
		_ = q.Fill(document, make(map[string]any), true)
		if asked == 0 || hidden != min(asked, 3) {
			t.Errorf("%s: asked %d times, hidden %d times", schema, asked, hidden)
		}
		list, err := fields.FromSchema(document)
		if f, ok := fields.FirstSecret(list); err != nil || !ok || f.Kind == fields.LongText {
			t.Errorf("%s: the first secret is %+v (%v)", schema, f, err)
		}
	}
}

// A huge form ends, and reports what it omits.
func TestHugeFormsEnd(t *testing.T) {
	many := make(map[string]any)
	for i := range 20_000 {
		many[fmt.Sprintf("field%d", i)] = map[string]any{"type": "string"}
	}
	deep := `{"type":"string"}`
	for range 500 {
		deep = `{"type":"object","properties":{"in":` + deep + `}}`
	}
	for name, schema := range map[string]map[string]any{"many": {"type": "object", "properties": many}, "in a group": {"properties": map[string]any{"g": map[string]any{"type": "object", "properties": many}}}} {
		list, err := fields.FromSchema(schema)
		n := 0
		var count func([]fields.Field)
		count = func(l []fields.Field) {
			n += len(l)
			for _, f := range l {
				count(f.Members)
			}
		}
		count(list)
		if err != nil || n > 1000 {
			t.Errorf("%s: %d fields, %v", name, n, err)
		}
	}
	if n := fields.Missing(map[string]any{"properties": many}); n < 19_000 {
		t.Errorf("%d are missing", n)
	}
	if n := fields.Missing(map[string]any{"properties": map[string]any{"a": true}}); n != 0 {
		t.Errorf("%d of one are missing", n)
	}
	if _, err := fields.FromSchema(json.RawMessage(deep)); err != nil {
		t.Error(err)
	}
}
