package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/geminitest"
	"goated/registry"
)

// A reference is validated as the result that it stands for: as text of any length and pattern, or
// as JSON if the tool expects a list or an object.
func TestReferencesFitTheSchema(t *testing.T) {
	rows := "[" + strings.Repeat(`{"n":12345678901234567890},`, 9) + `{"n":1}]`
	for _, tt := range []struct {
		name   string
		schema string
		stored string
		want   string // the argument that the tool gets, as JSON; empty if the call must not run
	}{
		{"a long text", `{"type":"string","minLength":100}`, strings.Repeat("word ", 50), ""},
		{"a pattern", `{"type":"string","pattern":"^Dear "}`, "Dear Ada", ""},
		{"a list", `{"type":"array","items":{"type":"object"}}`, rows, rows},
		{"an object", `{"type":"object","required":["n"]}`, `{"n":2}`, `{"n":2}`},
		{"JSON as text", `{"type":"string"}`, `{"n":2}`, `"{\"n\":2}"`},
		{"no schema for it", `{}`, `[1]`, `"[1]"`},
		{"a text that is no list", `{"type":"array"}`, "no list", "-"},
		{"a text that is too short", `{"type":"string","minLength":100}`, "short", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			keeper := resultStore(t)
			id, err := keeper.Put([]byte(tt.stored))
			if err != nil {
				t.Fatal(err)
			}
			var schema map[string]any
			if err := json.Unmarshal([]byte(fmt.Sprintf(`{"type":"object","properties":{"v":%s}}`, tt.schema)), &schema); err != nil {
				t.Fatal(err)
			}
			var got string
			box := tools(func(_ context.Context, _ string, args map[string]any) (string, error) {
				data, _ := json.Marshal(args["v"])
				got = string(data)
				return "done", nil
			})
			box.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", InputSchema: schema}})
			s := geminitest.New(t)
			s.Script(geminitest.Call("box__x", map[string]any{"v": refPrefix + id}), geminitest.Text("Done."))
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Results: keeper}
			events, err := collect(t.Context(), session, "go")
			if err != nil {
				t.Fatal(err)
			}
			want := tt.want
			if want == "" {
				data, _ := json.Marshal(tt.stored)
				want = string(data)
			}
			if want == "-" {
				want = ""
				if r := only[ToolReturned](events)[0]; r.Refusal != ArgumentsWrong {
					t.Errorf("the call returned %+v", r)
				}
			}
			if got != want {
				t.Errorf("the tool got %s, want %s", got, want)
			}
		})
	}
}

// The user may change another argument of a call and keep the reference.
func TestEditedReferencesFitTheSchema(t *testing.T) {
	keeper := resultStore(t)
	id, err := keeper.Put([]byte(`[1,2]`))
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	box := tools(func(_ context.Context, _ string, args map[string]any) (string, error) {
		data, _ := json.Marshal(args)
		got = string(data)
		return "done", nil
	})
	box.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", InputSchema: map[string]any{
		"type": "object", "properties": map[string]any{"rows": map[string]any{"type": "array"}, "title": map[string]any{"type": "string"}},
	}}})
	s := geminitest.New(t)
	s.Script(geminitest.Call("box__x", map[string]any{"rows": refPrefix + id, "title": "a"}), geminitest.Text("Done."))
	session := &Session{Model: gemini(t, s), Tools: box, Results: keeper, Approve: ApproveOneByOne(func(_ context.Context, p Pending) (Answer, error) {
		p.Call.Args["title"] = "b"
		return Answer{Decision: AllowOnce, Args: p.Call.Args}, nil
	})}
	events, err := collect(t.Context(), session, "go")
	if err != nil {
		t.Fatal(err)
	}
	if r := only[ToolReturned](events)[0]; r.Error != "" || got != `{"rows":[1,2],"title":"b"}` {
		t.Errorf("the tool got %s: %s", got, r.Error)
	}
}
