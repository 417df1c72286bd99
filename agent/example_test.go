package agent_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/offline"
	"goated/internal/geminitest"
	"goated/registry"
)

// calculator is the [agent.Tools] of the examples: one tool that adds two numbers.
type calculator struct{ registry.Registry }

func newCalculator() *calculator {
	c := &calculator{}
	number := map[string]any{"type": "number"}
	c.Set("math", false, registry.Origin{}, []*mcp.Tool{{Name: "add", Description: "Add two numbers.", InputSchema: map[string]any{
		"type": "object", "properties": map[string]any{"a": number, "b": number}, "required": []any{"a", "b"},
	}}})
	return c
}

func (c *calculator) Tools() iter.Seq[registry.Entry] { return slices.Values(c.All()) }

func (c *calculator) Lookup(name string) (registry.Entry, error) {
	e, ok := c.Registry.Lookup(name)
	if !ok {
		return e, fmt.Errorf("no tool %q", name)
	}
	return e, nil
}

func (c *calculator) CallEntry(_ context.Context, _ registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	sum := 0.0
	for _, n := range args {
		f, err := strconv.ParseFloat(fmt.Sprint(n), 64) // a float64, or a json.Number
		if err != nil {
			return nil, err
		}
		sum += f
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(sum)}}}, nil
}

// show prints the events of a turn.
func show(turn iter.Seq2[agent.Event, error]) {
	for e, err := range turn {
		if f := (*agent.Failure)(nil); errors.As(err, &f) {
			fmt.Println("failed:", f.Kind)
			return
		}
		switch e := e.(type) {
		case agent.TextDelta:
			fmt.Println("model:", e.Text)
		case agent.ToolCalled:
			fmt.Println("calls", e.Tool, "of", e.Server, "with", e.Args)
		case agent.ToolDecided:
			fmt.Println("decided:", e.Decision)
		case agent.ToolReturned:
			fmt.Println("returned:", e.Result.Content[0].(*mcp.TextContent).Text)
		case agent.TurnEnded:
			fmt.Println("ended:", e.Reason, "after", e.Steps, "steps")
		}
	}
}

// Without a key, the offline model finds the tool that matches the words.
func Example() {
	session := &agent.Session{
		Model: &offline.Model{},
		Tools: newCalculator(),
		Approve: agent.ApproveOneByOne(func(_ context.Context, p agent.Pending) (agent.Answer, error) {
			fmt.Println("approve", p.Call.Name+"?")
			return agent.Answer{Decision: agent.AllowOnce}, nil
		}),
	}
	show(session.Send(context.Background(), genai.NewPartFromText("add 2 and 40")))
	// Output:
	// model: No model · add
	// calls add of math with map[a:2 b:40]
	// approve math__add?
	// decided: allow_once
	// returned: 42
	// model: 42
	// ended: done after 2 steps
}

// A turn with Gemini, which a local server replaces here. The policy allows every call, so the turn
// asks no one.
func ExampleSession_Send() {
	server, err := geminitest.Start("my-key")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	server.Script(
		geminitest.Call("math__add", map[string]any{"a": 2, "b": 40}),
		geminitest.Text("It is 42."),
		geminitest.Fail(400, "INVALID_ARGUMENT", "no"),
	)
	ctx := context.Background()
	model, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: "my-key", BaseURL: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	session := &agent.Session{Model: model, Tools: newCalculator(), Policy: &agent.Policy{AllowAll: true}}
	show(session.Send(ctx, genai.NewPartFromText("What is 2 + 40?")))
	show(session.Send(ctx, genai.NewPartFromText("Thanks.")))
	// Output:
	// calls add of math with map[a:2 b:40]
	// decided: allow_once
	// returned: 42
	// model: It is 42.
	// ended: done after 2 steps
	// failed: request bad
}
