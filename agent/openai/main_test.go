package openai

import (
	"context"
	"errors"
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

// toolbox is [agent.Tools] with one tool, which returns its argument n.
type toolbox struct {
	reg registry.Registry

	mu    sync.Mutex
	calls []map[string]any // the arguments of each call, in the order in which they ran
}

func box() *toolbox {
	b := &toolbox{}
	b.reg.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", Description: "does x", InputSchema: map[string]any{"type": "object"}}})
	return b
}

func (b *toolbox) Tools() iter.Seq[registry.Entry] { return slices.Values(b.reg.All()) }

func (b *toolbox) Lookup(name string) (registry.Entry, error) {
	e, ok := b.reg.Lookup(name)
	if !ok {
		return e, fmt.Errorf("no tool is named %s", name)
	}
	return e, nil
}

func (b *toolbox) CallEntry(_ context.Context, _ registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.calls = append(b.calls, args)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint("x ", args["n"])}}}, nil
}

// sessionOf returns a session that allows every call of the tools.
func sessionOf(m agent.Model, tools agent.Tools) *agent.Session {
	return &agent.Session{Model: m, Tools: tools, Approve: agent.EachCall(func(context.Context, agent.Pending) (agent.Answer, error) {
		return agent.Answer{Decision: agent.AllowOnce}, nil
	})}
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

func kindOfFailure(err error) agent.FailureKind {
	if f := (*agent.Failure)(nil); errors.As(err, &f) {
		return f.Kind
	}
	return ""
}
