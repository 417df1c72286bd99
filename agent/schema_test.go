package agent

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent/schema"
	"goated/internal/exact"
	"goated/internal/geminitest"
	"goated/registry"
)

// The service accepts the declaration of any schema, and every difference from the original is
// recorded as a change.
func TestPropertyAnySchemaIsAccepted(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
	g := gemini(t, s)
	rapid.Check(t, func(t *rapid.T) {
		drawn, _ := randomSchema(3).Draw(t, "schema").(map[string]any)
		if tr, err := schema.Translate(drawn); err == nil && len(tr.Changes) == 0 && drawn != nil && !reflect.DeepEqual(plain(drawn), plain(any(tr.Schema))) {
			t.Fatalf("%s became %s without a change", exact.String(drawn), exact.String(tr.Schema))
		}
		box := &toolbox{}
		box.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: rapid.String().Draw(t, "name"), InputSchema: drawn}})
		session := &Session{Model: g, Tools: box}
		for _, err := range session.Send(t.Context(), genai.NewPartFromText("hi")) {
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// wrong lists values that are not valid where a schema is expected.
var wrong = []any{nil, true, 7.0, "text", []any{}, []any{7.0, nil}, map[string]any{"a": 7.0}}

func randomSchema(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		out := map[string]any{}
		for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{
			"type", "format", "enum", "const", "default", "pattern", "minLength", "exclusiveMinimum", "properties", "required",
			"items", "prefixItems", "anyOf", "oneOf", "allOf", "not", "if", "$ref", "$schema", "$comment", "examples", "additionalProperties", "then", "else", "contains", "multipleOf", "uniqueItems", "propertyNames", "dependentRequired", "minItems", "minProperties", "$id", "$anchor", "$dynamicRef",
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
				out[k] = rapid.SampledFrom([]any{"string", "object", "array", "number", "boolean", []any{"string", "null"}, []any{}, []any{"str", "str", 7.0}, "str", "STRING", "any", "Widget", "int | none", 7.0, nil, map[string]any{"type": "string"}}).Draw(t, k)
			case "enum":
				out[k] = rapid.SampledFrom([]any{[]any{"a", "b"}, []any{1.0, 2.0}, []any{"a", nil}, []any{true}, []any{}, []any{""}, []any{"a", "a"}, "a", nil, map[string]any{"a": 1.0}}).Draw(t, k)
			case "const", "default", "examples":
				out[k] = rapid.SampledFrom([]any{"a", 1.0, true, nil, []any{"a"}}).Draw(t, k)
			case "properties", "definitions", "$defs", "patternProperties":
				out[k] = map[string]any{name.Draw(t, "name"): sub(), name.Draw(t, "name"): sub()}
				if rapid.IntRange(0, 9).Draw(t, "wrong") == 0 {
					out[k] = rapid.SampledFrom(wrong).Draw(t, "value")
				}
			case "required":
				out[k] = rapid.SampledFrom([]any{[]any{name.Draw(t, "required")}, true, "a", []any{7.0, nil, "b"}, map[string]any{}}).Draw(t, k)
			case "items", "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties":
				out[k] = sub()
			case "prefixItems", "anyOf", "oneOf", "allOf":
				out[k] = []any{sub(), sub()}
				if rapid.IntRange(0, 9).Draw(t, "wrong") == 0 {
					out[k] = rapid.SampledFrom(wrong).Draw(t, "value")
				}
			case "$ref":
				out[k] = rapid.SampledFrom([]any{"#/$defs/a", "#/definitions/b", "#", "https://x/y", "#/$defs/none", "#/properties/a", "#/properties/b/items", "#a", 7.0, "#/%zz", "#/allOf/0", "#/$defs/a~1b"}).Draw(t, k)
			case "minLength", "exclusiveMinimum", "minimum", "maxItems", "multipleOf", "minItems", "minProperties":
				out[k] = rapid.SampledFrom([]any{1.0, 1.0, -1.0, 1.5, "1", "x", true, nil, []any{1.0}, 1e300}).Draw(t, k)
			case "nullable":
				out[k] = true
			default:
				out[k] = rapid.SampledFrom([]any{"text", "text", 7.0, nil, []any{"a"}, "enum", "bad \xff text"}).Draw(t, k)
			}
		}
		return out
	})
}

// Gemini accepts the schemas of the JSON Schema Test Suite, which is part of the jsonschema-go
// module. The test uses each schema as a root and as a property.
func TestSchemaTestSuiteIsAccepted(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata", "draft*", "*.json"))
	var offered []*mcp.Tool
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      any
		}
		if err := json.Unmarshal(data, &groups); err != nil {
			t.Fatal(file, err)
		}
		for i, g := range groups {
			name := fmt.Sprint(filepath.Base(filepath.Dir(file)), "-", filepath.Base(file), "-", i)
			offered = append(offered,
				&mcp.Tool{Name: name + "r", Description: g.Description, InputSchema: g.Schema},
				&mcp.Tool{Name: name + "p", Description: g.Description, InputSchema: map[string]any{"type": "object", "properties": map[string]any{"v": g.Schema}}})
		}
	}
	if len(offered) < 600 {
		t.Fatalf("the suite has %d schemas", len(offered)/2)
	}
	same := 0
	for _, o := range offered {
		tr, err := schema.Translate(o.InputSchema)
		if err != nil || len(tr.Changes) > 0 {
			continue
		}
		// Without a change, the model gets the original schema.
		same++
		if was, is := plain(o.InputSchema), plain(any(tr.Schema)); !reflect.DeepEqual(was, is) {
			t.Errorf("%s: %s became %s without a change", o.Name, exact.String(was), exact.String(is))
		}
	}
	if same < 50 {
		t.Errorf("only %d schemas have no change", same)
	}
	s := geminitest.New(t)
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("ok") })
	g := gemini(t, s)
	for part := 0; part < len(offered); part += 200 {
		box := &toolbox{}
		box.Registry.Set("box", false, registry.Origin{}, offered[part:min(part+200, len(offered))])
		events, err := collect(t.Context(), &Session{Model: g, Tools: box}, "hi")
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range only[ToolQuarantined](events) {
			if !strings.Contains(q.Reason, "false, which allows no arguments") {
				t.Errorf("%s is left out: %s", q.Tool, q.Reason)
			}
		}
	}
}

// plain normalizes a schema to one of several equivalent forms, without the names that no model
// needs.
func plain(v any) any {
	switch v := v.(type) {
	case bool:
		if v {
			return map[string]any{}
		}
	case map[string]any:
		out := make(map[string]any)
		for k, e := range v {
			list, _ := e.([]any)
			switch {
			case strings.HasPrefix(k, "$"), k == "definitions", k == "id", k == "uniqueItems" && e == false,
				strings.HasPrefix(k, "unevaluated") && e == true, k == "required" && list != nil && len(list) == 0:
			case k == "type" && len(list) == 1:
				out[k] = list[0]
			default:
				out[k] = plain(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = plain(e)
		}
		return out
	}
	return v
}
