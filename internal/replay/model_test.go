package replay

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/geminitest"
	"goated/internal/store"
	"goated/registry"
)

// offered returns a toolbox with a tool that must not run.
func offered(t *testing.T) *turntest.Toolbox {
	box := &turntest.Toolbox{Run: func(context.Context, string, map[string]any) (string, error) {
		t.Error("a tool runs")
		return "", errors.New("it must not run")
	}}
	properties := map[string]any{"city": map[string]any{"type": "string"}, "n": map[string]any{"type": "integer"}}
	box.Registry.Set("w", false, registry.Origin{}, []*mcp.Tool{{Name: "forecast", InputSchema: map[string]any{"type": "object", "properties": properties}}})
	return box
}

// For each step, the current model gets the history that the recorded model had received, and
// goated reports where it makes other calls. No tool runs, and the service accepts the requests
// although the signatures belong to another model.
func TestStepsAreAskedAgain(t *testing.T) {
	big := json.Number("9007199254740993")
	called := map[string]any{"city": "Rome", "n": big}
	turns := []store.Turn{
		{User: []*genai.Part{{Text: "How is it?"}}, Contents: []*genai.Content{
			{Role: genai.RoleUser, Parts: []*genai.Part{{Text: "How is it?"}}},
			{Role: genai.RoleModel, Parts: []*genai.Part{{Text: "Hm.", Thought: true}, {FunctionCall: &genai.FunctionCall{Name: "w__forecast", Args: called}, ThoughtSignature: []byte("of then")}}},
			{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{Name: "w__forecast", Response: map[string]any{"output": "sunny"}}}}},
			{Role: genai.RoleModel, Parts: []*genai.Part{{Text: "It is "}, {Text: "sunny."}}},
		}},
		{User: []*genai.Part{{Text: "Thanks"}}, Contents: []*genai.Content{
			{Role: genai.RoleUser, Parts: []*genai.Part{{Text: "Thanks"}}},
			{Role: genai.RoleModel, Parts: []*genai.Part{{Text: "Welcome."}}},
		}},
	}
	steps := Steps(turns)
	if len(steps) != 3 || len(steps[0].Before) != 1 || len(steps[1].Before) != 3 || len(steps[2].Before) != 5 || steps[1].Text != "It is sunny." {
		t.Fatalf("the steps are %+v", steps)
	}
	other := map[string]any{"city": "Rome", "n": json.Number("9007199254740992")}
	for _, tt := range []struct {
		name    string
		step    int
		reply   geminitest.Reply
		differs string
		words   string
	}{
		{"the same call", 0, geminitest.Call("w__forecast", called), "", ""},
		{"another number", 0, geminitest.Call("w__forecast", other), `the model now calls w__forecast {"city":"Rome","n":9007199254740992}, and then it called w__forecast {"city":"Rome","n":9007199254740993}`, ""},
		{"an answer", 0, geminitest.Text("I can't know."), `the model now answers "I can't know.", and then it called w__forecast {"city":"Rome","n":9007199254740993}`, ""},
		{"a call instead of an answer", 1, geminitest.Call("w__forecast", nil), `the model now calls w__forecast, and then it answered "It is sunny."`, ""},
		{"the same answer", 1, geminitest.Text("It is sunny.\n"), "", ""},
		{"other words", 2, geminitest.Text("At your service."), "", `line 1 is "At your service.", and was "Welcome."`},
	} {
		s := geminitest.New(t)
		s.Script(tt.reply)
		model, err := agent.NewGemini(t.Context(), agent.GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
		if err != nil {
			t.Fatal(err)
		}
		a, err := steps[tt.step].Ask(t.Context(), &agent.Session{Tools: offered(t), Policy: &agent.Policy{AllowAll: true}}, model)
		if err != nil || a.Differs != tt.differs || a.Words != tt.words {
			t.Errorf("%s: differs %q, words %q, %v", tt.name, a.Differs, a.Words, err)
		}
		if refused := s.Refusals(); len(refused) > 0 || len(s.Requests()) != 1 || len(s.Requests()[0].Contents) != len(steps[tt.step].Before) {
			t.Errorf("%s: %d requests, refused %q", tt.name, len(s.Requests()), refused)
		}
	}
	s := geminitest.New(t)
	s.Script(geminitest.BadKey())
	model, err := agent.NewGemini(t.Context(), agent.GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := steps[0].Ask(t.Context(), &agent.Session{Tools: offered(t)}, model); err == nil {
		t.Error("a model that refuses the key has no difference")
	}
}
