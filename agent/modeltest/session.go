package modeltest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
)

// newSession returns a session that allows every call.
func newSession(m agent.Model, tools agent.Tools) *agent.Session {
	allow := agent.EachCall(func(context.Context, agent.Pending) (agent.Answer, error) {
		return agent.Answer{Decision: agent.AllowOnce}, nil
	})
	return &agent.Session{Model: m, Tools: tools, Approve: allow, System: "Be brief.", Idle: 10 * time.Second}
}

// toolbox is [agent.Tools] with the one tool of the suite.
type toolbox struct {
	registry registry.Registry

	mu    sync.Mutex
	calls int
}

func newToolbox() *toolbox {
	b := &toolbox{}
	b.registry.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", Description: "does x", InputSchema: map[string]any{"type": "object"}}})
	return b
}

// ran returns how many calls ran.
func (b *toolbox) ran() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls
}

func (b *toolbox) Tools() iter.Seq[registry.Entry] { return slices.Values(b.registry.All()) }

func (b *toolbox) Lookup(name string) (registry.Entry, error) {
	e, ok := b.registry.Lookup(name)
	if !ok {
		return e, fmt.Errorf("no tool is named %s", name)
	}
	return e, nil
}

func (b *toolbox) CallEntry(_ context.Context, e registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	if now, err := b.Lookup(e.Name); err != nil || !now.Same(e) {
		return nil, fmt.Errorf("%s is not what was approved (%w)", e.Name, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls++
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint("x ", args["n"])}}}, nil
}

// checkHistory returns the first reason why a model would refuse a history between
// turns.
func checkHistory(history []*genai.Content) error {
	for i, c := range history {
		if len(c.Parts) == 0 {
			return fmt.Errorf("content %d is empty", i)
		}
		var calls, responses []string
		for _, p := range c.Parts {
			if p.FunctionCall != nil {
				calls = append(calls, p.FunctionCall.ID+p.FunctionCall.Name)
			}
			if p.FunctionResponse != nil {
				responses = append(responses, p.FunctionResponse.ID+p.FunctionResponse.Name)
			}
		}
		if len(calls) > 0 && (i+1 == len(history) || len(history[i+1].Parts) == 0 || history[i+1].Parts[0].FunctionResponse == nil) {
			return fmt.Errorf("the calls of content %d have no responses", i)
		}
		if len(responses) == 0 {
			continue
		}
		if i == 0 {
			return errors.New("responses come first")
		}
		var asked []string
		for _, p := range history[i-1].Parts {
			if p.FunctionCall != nil {
				asked = append(asked, p.FunctionCall.ID+p.FunctionCall.Name)
			}
		}
		if !slices.Equal(asked, responses) {
			return fmt.Errorf("content %d answers %v, asked was %v", i, responses, asked)
		}
	}
	return nil
}
