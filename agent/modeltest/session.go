package modeltest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
