package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/contents"
	"goated/agent/modeltest"
	"goated/agent/turntest"
	"goated/registry"
)

func object(required []any, properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func text() map[string]any   { return map[string]any{"type": "string"} }
func number() map[string]any { return map[string]any{"type": "number"} }

// offlineTools returns tools like those of ghost and other common servers.
func offlineTools() *turntest.Toolbox {
	b := &turntest.Toolbox{Run: turntest.Echo}
	b.Registry.Set("ghost", true, registry.Origin{}, []*mcp.Tool{
		{Name: "haunt_desktop", Description: "Write a text file (a note) to the user's desktop.", InputSchema: object([]any{"filename", "content"}, map[string]any{"filename": text(), "content": text()})},
		{Name: "manage_memory", Description: "Remember a value under a key, or recall what is remembered.", InputSchema: object([]any{"action", "key"}, map[string]any{
			"action": map[string]any{"type": "string", "enum": []any{"read", "write"}}, "key": text(), "value": text(),
		})},
		{Name: "play_system_sound", Description: "Play a system sound.", InputSchema: object([]any{"type"}, map[string]any{"type": map[string]any{"type": "string", "enum": []any{"error", "warning", "success"}}})},
		{Name: "read_project_context", Description: "List the files and folders in a directory of the project.", InputSchema: object([]any{"directoryPath"}, map[string]any{"directoryPath": text()})},
	})
	b.Registry.Set("math", false, registry.Origin{}, []*mcp.Tool{
		{Name: "add", Description: "Add two numbers.", InputSchema: object([]any{"a", "b"}, map[string]any{"a": number(), "b": number()})},
		{Name: "echo", Description: "Say the message back.", InputSchema: object([]any{"message"}, map[string]any{"message": text()})},
		{Name: "reverse_text", Description: "Turn it around.", InputSchema: object([]any{"input"}, map[string]any{"input": text()})},
		{Name: "to_upper", Description: "Make it large.", InputSchema: object([]any{"s"}, map[string]any{"s": text()})},
		{Name: "get_weather", Description: "Weather of a city.", InputSchema: object([]any{"city"}, map[string]any{"city": text()})},
	})
	b.Registry.Set("fs", false, registry.Origin{}, []*mcp.Tool{{Name: "echo", Description: "Echo.", InputSchema: object(nil, nil)}})
	return b
}

func planned(t *testing.T, o *Model, b *turntest.Toolbox, request string) (said string, call *genai.FunctionCall) {
	t.Helper()
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: declare(b.Tools())}}}
	for resp, err := range o.Generate(t.Context(), []*genai.Content{genai.NewContentFromText(request, genai.RoleUser)}, config) {
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range resp.Candidates[0].Content.Parts {
			said += p.Text
			if p.FunctionCall != nil {
				call = p.FunctionCall
			}
		}
	}
	return said, call
}

func TestOfflineUnderstands(t *testing.T) {
	for request, want := range map[string]struct {
		tool string
		args map[string]any
	}{
		"list the files in .":                                     {"ghost__read_project_context", map[string]any{"directoryPath": "."}},
		"List the files in src/ui":                                {"ghost__read_project_context", map[string]any{"directoryPath": "src/ui"}},
		"please show me all files in the folder docs?":            {"ghost__read_project_context", map[string]any{"directoryPath": "docs"}},
		`list files in "my docs"`:                                 {"ghost__read_project_context", map[string]any{"directoryPath": "my docs"}},
		"remember coffee as flat white":                           {"ghost__manage_memory", map[string]any{"action": "write", "key": "coffee", "value": "flat white"}},
		"What do you remember about coffee?":                      {"ghost__manage_memory", map[string]any{"action": "read", "key": "coffee"}},
		"write a note called todo.txt saying buy milk\nand bread": {"ghost__haunt_desktop", map[string]any{"filename": "todo.txt", "content": "buy milk\nand bread"}},
		"play the warning sound":                                  {"ghost__play_system_sound", map[string]any{"type": "warning"}},
		"add 2 and 40":                                            {"math__add", map[string]any{"a": json.Number("2"), "b": json.Number("40")}},
		"please add -1.5 to 3":                                    {"math__add", map[string]any{"a": json.Number("-1.5"), "b": json.Number("3")}},
		"add a=1 b=2":                                             {"math__add", map[string]any{"a": json.Number("1"), "b": json.Number("2")}},
		`add {"a": 5, "b": 6}`:                                    {"math__add", map[string]any{"a": json.Number("5"), "b": json.Number("6")}},
		`add {"b": 5, "a": 6}`:                                    {"math__add", map[string]any{"a": json.Number("6"), "b": json.Number("5")}},
		"get weather Lisbon":                                      {"math__get_weather", map[string]any{"city": "Lisbon"}},
		"what is the weather in \"São Paulo\"":                    {"math__get_weather", map[string]any{"city": "São Paulo"}},
		"please reverse the text hello world":                     {"math__reverse_text", map[string]any{"input": "hello world"}},
		"reverse text is it so":                                   {"math__reverse_text", map[string]any{"input": "is it so"}},
		"uppercase hello":                                         {"math__to_upper", map[string]any{"s": "hello"}},
		"use the echo tool of math to say hi":                     {"math__echo", map[string]any{"message": "say hi"}},
		`/add {"a": 1, "b": 2}`:                                   {"math__add", map[string]any{"a": json.Number("1"), "b": json.Number("2")}},
		`/math__echo {"message": "hi"}`:                           {"math__echo", map[string]any{"message": "hi"}},
		"/fs__echo":                                               {"fs__echo", map[string]any{}},
	} {
		said, call := planned(t, &Model{}, offlineTools(), request)
		if call == nil {
			t.Errorf("%q: no call; said %q", request, said)
			continue
		}
		if call.Name != want.tool || !reflect.DeepEqual(call.Args, want.args) {
			t.Errorf("%q: %s %v, want %s %v", request, call.Name, call.Args, want.tool, want.args)
		}
		if !strings.HasPrefix(said, "No model · ") {
			t.Errorf("%q: does not say what answers: %q", request, said)
		}
	}
}

// If nothing is called, the answer explains why and what to do.
func TestOfflineSaysWhyNot(t *testing.T) {
	for request, want := range map[string]string{
		"how tall is the Eiffel tower?": "I can't do that with the connected tools",
		"/nope":                         `There is no tool "nope"`,
		"/echo {}":                      "/fs__echo, or /math__echo",
		"/add {a: 1}":                   `An example: /add {"a":1,"b":1}`,
		"add 2":                         "add also needs b",
	} {
		said, call := planned(t, &Model{}, offlineTools(), request)
		if call != nil || !strings.Contains(said, want) {
			t.Errorf("%q: %q, call %v; want %q", request, said, call, want)
		}
	}
	if said, _ := planned(t, &Model{}, &turntest.Toolbox{}, "hello"); !strings.Contains(said, "No tool is connected") {
		t.Errorf("without tools: %q", said)
	}
}

// With only one tool to choose from, the answers asked "Which of these do you mean?" or told the
// user to "write one of these".
func TestOfflineAsksAboutOneTool(t *testing.T) {
	decline := func(context.Context, agent.Question) (map[string]any, error) { return nil, agent.ErrDeclined }
	b := &turntest.Toolbox{Run: turntest.Echo}
	for _, tt := range []struct{ server, ask, declined string }{
		{"fs", "Did you mean this? Call it with:\n- delete_file: /fs__delete_file {", "To call the tool directly, write:\n- delete_file: /fs__delete_file {"},
		{"other", "Which of these do you mean? Call one with:\n- ", "To call a tool directly, write one of these:\n- "},
	} {
		b.Registry.Set(tt.server, false, registry.Origin{}, []*mcp.Tool{{Name: "delete_file", Description: "Delete a file.", InputSchema: object([]any{"path"}, map[string]any{"path": text()})}})
		if said, call := planned(t, &Model{}, b, "file x.txt"); call != nil || !strings.Contains(said, tt.ask) {
			t.Errorf("with %s: %q, call %v", tt.server, said, call)
		}
		if said, call := planned(t, &Model{Ask: decline}, b, "file x.txt"); call != nil || !strings.Contains(said, tt.declined) {
			t.Errorf("with %s, declined: %q, call %v", tt.server, said, call)
		}
	}
}

func TestOfflineAsks(t *testing.T) {
	var asked agent.Question
	o := &Model{Ask: func(_ context.Context, q agent.Question) (map[string]any, error) {
		asked = q
		return map[string]any{"a": json.Number("2"), "b": json.Number("3")}, nil
	}}
	_, call := planned(t, o, offlineTools(), "add 2")
	if call == nil || call.Args["b"] != json.Number("3") {
		t.Fatalf("call %v", call)
	}
	if asked.Tool != "add" || asked.Server != "math" || asked.Args["a"] != json.Number("2") || asked.Schema == nil {
		t.Errorf("asked %+v", asked)
	}
	o.Server = strings.ToUpper
	if planned(t, o, offlineTools(), "add 2"); asked.Server != "MATH" {
		t.Errorf("the question names the server %q", asked.Server)
	}
	o.Ask = func(context.Context, agent.Question) (map[string]any, error) { return nil, agent.ErrDeclined }
	if said, call := planned(t, o, offlineTools(), "add 2"); call != nil || !strings.Contains(said, "nothing was called") {
		t.Errorf("declined: %q %v", said, call)
	}
}

// A whole turn goes through the same loop as with a model.
func TestOfflineTurn(t *testing.T) {
	box := offlineTools()
	session := &agent.Session{Model: &Model{}, Tools: box, Approve: modeltest.AllowAll()}
	events, err := modeltest.Collect(t.Context(), session, "add 2 and 40")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(box.Calls, []string{"math__add"}) || !strings.Contains(modeltest.Said(events), "add <nil>") {
		t.Errorf("%v %q", box.Calls, modeltest.Said(events))
	}
	if ended := turntest.Only[agent.TurnEnded](events); len(ended) != 1 || ended[0].Reason != agent.Done || ended[0].Steps != 2 {
		t.Errorf("ended %+v", ended)
	}
}

func TestReportIsReadable(t *testing.T) {
	for text, want := range map[string]string{
		`[{"name":"a","type":"file","size":12345678901234567},{"name":"b c","type":"directory","size":0}]`: "- a · file · 12345678901234567 bytes\n- b c · directory",
		`{"words":4,"b":"c"}`:       "- words: 4\n- b: c",
		`{"a":{}}`:                  "- a:",
		`[{"a":{"b":1}}]`:           "- 1",
		`[1,2]`:                     `[1,2]`,
		`[`:                         `[`,
		"plain":                     "plain",
		"[]":                        "The tool returned an empty list.",
		" {}\n":                     "The tool returned an empty result.",
		"[FILE] a\n[DIR] b\n\nend":  "[FILE] a  \n[DIR] b\n\nend", // Markdown joins lines without a hard break
		"- a\n- b":                  "- a\n- b",
		"see\n```\nx\ny\n```\nthat": "see  \n```\nx\ny\n```\nthat",
	} {
		c := &genai.Content{Parts: []*genai.Part{genai.NewPartFromFunctionResponse("x", map[string]any{"output": text})}}
		if got := contents.Report(c, "", userErrorText); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// The errors of tools are written for a model. The answers rewrite them for the user.
func TestOfflineWordsErrorsForTheUser(t *testing.T) {
	for said, want := range map[string]string{
		agent.CallDenied.Error():                     "I did not run it.",
		agent.NoApprover.Error():                     "I did not run it: it needs your approval, and I can't ask you here.",
		"Tool execution failed: Error: no ink":       "no ink",
		"Server disconnected during execution":       "Server disconnected during execution",
		"it said: The user did not allow this call.": "it said: The user did not allow this call.",
	} {
		last := &genai.Content{Parts: []*genai.Part{genai.NewPartFromFunctionResponse("x", map[string]any{"error": said})}}
		for r, err := range (&Model{}).Generate(t.Context(), []*genai.Content{last}, nil) {
			if err != nil || r.Candidates[0].Content.Parts[0].Text != want {
				t.Errorf("%q: %v, %v", said, r, err)
			}
		}
	}
}

// The offline model receives all tools, because it searches for the right one itself.
func TestOfflineSeesAllTools(t *testing.T) {
	box := &turntest.Toolbox{Run: turntest.Echo}
	offered := make([]*mcp.Tool, 600)
	for i := range offered {
		offered[i] = &mcp.Tool{Name: fmt.Sprintf("metric_%05d", i), Description: fmt.Sprintf("Reads the value of the metric %d of the plant.", i), InputSchema: object(nil, map[string]any{"n": map[string]any{"type": "integer", "description": "The number of the sample."}})}
	}
	offered[200] = &mcp.Tool{Name: "order_pizza", Description: "Orders a pizza.", InputSchema: object(nil, nil)}
	box.Registry.Set("box", false, registry.Origin{}, offered)
	events, err := modeltest.Collect(t.Context(), &agent.Session{Model: &Model{}, Tools: box, Policy: &agent.Policy{AllowAll: true}}, "order pizza")
	if err != nil || len(turntest.Only[agent.ToolCalled](events)) != 1 {
		t.Errorf("%v, %q", err, modeltest.Said(events))
	}
}
