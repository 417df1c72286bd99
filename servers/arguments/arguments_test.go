package arguments

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func schema() *jsonschema.Schema {
	least, most, one := 1.0, 200.0, 1
	text := func() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }
	return &jsonschema.Schema{
		Type: "object", Required: []string{"key", "action"},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		Properties: map[string]*jsonschema.Schema{
			"key":    {Type: "string", MinLength: &one},
			"action": {Type: "string", Enum: []any{"read", "write"}},
			"value":  {Types: []string{"null", "string"}},
			"note":   text(),
			"limit":  {Type: "integer", Minimum: &least, Maximum: &most},
			"deep":   {Type: "boolean"},
			"options": {Type: "array", MinItems: &one, Items: &jsonschema.Schema{
				Type: "object", Required: []string{"label"}, Properties: map[string]*jsonschema.Schema{"label": text()}}},
		},
	}
}

func TestFaultsAreSentences(t *testing.T) {
	const known = ` Known: action, deep, key, limit, note, options and value.`
	for args, want := range map[string]string{
		``:                           `The arguments "key" and "action" are missing.`,
		`null`:                       `The arguments "key" and "action" are missing.`,
		`{"action":"read"}`:          `The argument "key" is missing.`,
		`[1]`:                        `The value of arguments must be an object, not a list.`,
		`{"key":"k","action":"x"}`:   `action must be read or write, not "x".`,
		`{"key":"","action":"read"}`: `key must have at least 1 character.`,
		`{"key":"k","action":"read","note":{"a":1}}`:                       `note must be a text, not an object.`,
		`{"key":"k","action":"read","note":null}`:                          `note must be a text, not null.`,
		`{"key":"k","action":"read","value":7}`:                            `value must be null or a text, not 7.`,
		`{"key":"k","action":"read","limit":0}`:                            `limit must be at least 1.`,
		`{"key":"k","action":"read","limit":201}`:                          `limit must be at most 200.`,
		`{"key":"k","action":"read","limit":1.5}`:                          `limit must be a whole number, not 1.5.`,
		`{"key":"k","action":"read","limit":"5"}`:                          `limit must be a whole number, not a text.`,
		`{"key":"k","action":"read","deep":"yes"}`:                         `deep must be true or false, not a text.`,
		`{"key":"k","action":"read","options":[]}`:                         `options must have at least 1 item.`,
		`{"key":"k","action":"read","options":[{"label":"a"},{}]}`:         `The field "label" of options[1] is missing.`,
		`{"key":"k","action":"read","options":[{"label":["a"]}]}`:          `options[0].label must be a text, not a list.`,
		`{"key":"k","action":"read","options":[{"label":"a","x":1}]}`:      ``,
		`{"key":"k","action":"read","options":"a","limit":0}`:              `limit must be at least 1. options must be a list, not a text.`,
		`{"key":"k","action":"read","vlaue":"x"}`:                          `There is no argument "vlaue".` + known,
		`{"key":"k","action":"read","a\nb":"x"}`:                           `There is no argument "a\nb".` + known,
		`{"key":"k","action":"write","value":null,"limit":20,"deep":true}`: ``,
	} {
		got := ""
		if err := Check(schema(), json.RawMessage(args)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// An error has a limited length, whatever the caller sends.
func TestFaultsAreShort(t *testing.T) {
	object := map[string]any{"limit": "a", "deep": "b", "note": 1, "value": 2}
	for i := range 1000 {
		object[strings.Repeat("x", i)] = strings.Repeat("y", 1000)
	}
	args, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(schema(), args); err == nil || len(err.Error()) > 500 {
		t.Errorf("%v", err)
	}
}

// Check and the library accept the same arguments.
func TestCheckAgreesWithTheLibrary(t *testing.T) {
	resolved, err := schema().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	values := []string{`"read"`, `""`, `0`, `1`, `1.0`, `2.5`, `-3`, `1e30`, `true`, `null`, `[]`, `{}`, `["a"]`, `[{"label":"a"}]`, `[{"label":1}]`}
	for _, name := range []string{"key", "action", "value", "note", "limit", "deep", "options", "other"} {
		for _, v := range values {
			args := `{"key":"k","action":"read","` + name + `":` + v + `}`
			var value any
			if err := json.Unmarshal([]byte(args), &value); err != nil {
				t.Fatal(err)
			}
			mine, theirs := Check(schema(), json.RawMessage(args)), resolved.Validate(value)
			if (mine == nil) != (theirs == nil) {
				t.Errorf("%s: %v, the library says %v", args, mine, theirs)
			}
		}
	}
}

func TestMiddlewareAnswersBeforeTheSDK(t *testing.T) {
	tool := &mcp.Tool{Name: "memory", InputSchema: schema()}
	s := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s.AddReceivingMiddleware(Middleware(tool))
	mcp.AddTool(s, tool, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
	})
	here, there := mcp.NewInMemoryTransports()
	running, err := s.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for args, want := range map[string]string{`{"action":"read"}`: `The argument "key" is missing.`, `{"key":"k","action":"read"}`: "done"} {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory", Arguments: json.RawMessage(args)})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(res)
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Content[0].(*mcp.TextContent).Text; got != want || res.IsError != (want != "done") || !strings.Contains(string(data), `"resultType":"complete"`) {
			t.Errorf("%s: %q (%t) in %s, want %q", args, got, res.IsError, data, want)
		}
	}
}
