package offline

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"google.golang.org/genai"

	"goated/agent"
	"goated/registry"
)

func TestMain(m *testing.M) {
	// A dependency of genai starts a worker when it is loaded.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

// toolbox is [agent.Tools] without servers.
type toolbox struct {
	reg registry.Registry
	run func(ctx context.Context, tool string, args map[string]any) (string, error)

	mu    sync.Mutex
	calls []string // qualified names, in the order in which they ran
}

func (b *toolbox) Tools() iter.Seq[registry.Entry] { return slices.Values(b.reg.All()) }

func (b *toolbox) Lookup(name string) (registry.Entry, error) {
	e, ok := b.reg.Lookup(name)
	if !ok {
		return e, fmt.Errorf("Tool '%s' not found in any connected server", name)
	}
	return e, nil
}

func (b *toolbox) CallEntry(ctx context.Context, e registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	if now, err := b.Lookup(e.Name); err != nil || !now.Same(e) {
		return nil, fmt.Errorf("%s is not what was approved (%w)", e.Name, err)
	}
	b.mu.Lock()
	b.calls = append(b.calls, e.Name)
	b.mu.Unlock()
	said, err := b.run(ctx, e.Tool.Name, args)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil
}

func echo(_ context.Context, tool string, args map[string]any) (string, error) {
	return fmt.Sprint(tool, " ", args["n"]), nil
}

// declare returns the declarations of the tools that can be declared.
func declare(tools iter.Seq[registry.Entry]) []*genai.FunctionDeclaration {
	var all []*genai.FunctionDeclaration
	for e := range tools {
		if d := agent.Declare(e); d.Function != nil {
			all = append(all, d.Function)
		}
	}
	return all
}

// collect runs a turn to its end.
func collect(ctx context.Context, s *agent.Session, text string) (events []agent.Event, err error) {
	for e, err := range s.Send(ctx, genai.NewPartFromText(text)) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

func only[E agent.Event](events []agent.Event) []E {
	var found []E
	for _, e := range events {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

func answerOf(events []agent.Event) string {
	said := ""
	for _, d := range only[agent.TextDelta](events) {
		said += d.Text
	}
	return said
}

// each asks a question about one call.
func each(ask func(context.Context, agent.ToolCalled) (agent.Decision, error)) agent.Approve {
	return agent.EachCall(func(ctx context.Context, p agent.Pending) (agent.Answer, error) {
		d, err := ask(ctx, p.Call)
		return agent.Answer{Decision: d}, err
	})
}

func allowAll(context.Context, agent.ToolCalled) (agent.Decision, error) { return agent.AllowOnce, nil }
