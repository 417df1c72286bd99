package agent

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

	"goated/internal/geminitest"
	"goated/registry"
)

func TestMain(m *testing.M) {
	// A dependency of genai starts a worker when it is loaded.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"))
}

// toolbox is [Tools] without servers.
type toolbox struct {
	reg registry.Registry
	run func(ctx context.Context, tool string, args map[string]any) (string, error)
	// told holds the progress that each call reports before it runs.
	told []*mcp.ProgressNotificationParams

	mu    sync.Mutex
	calls []string // qualified names, in the order in which they ran
}

func tools(run func(ctx context.Context, tool string, args map[string]any) (string, error), names ...string) *toolbox {
	b := &toolbox{run: run}
	var offered []*mcp.Tool
	for _, n := range names {
		offered = append(offered, &mcp.Tool{Name: n, Description: "does " + n, InputSchema: map[string]any{"type": "object"}})
	}
	b.reg.Set("box", false, registry.Origin{}, offered)
	return b
}

func (b *toolbox) Tools() iter.Seq[registry.Entry] { return slices.Values(b.reg.All()) }

func (b *toolbox) Lookup(name string) (registry.Entry, error) {
	e, ok := b.reg.Lookup(name)
	if !ok {
		return e, fmt.Errorf("Tool '%s' not found in any connected server", name)
	}
	return e, nil
}

func (b *toolbox) CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	if now, err := b.Lookup(e.Name); err != nil || !now.Same(e) {
		return nil, fmt.Errorf("%s is not what was approved (%w)", e.Name, err)
	}
	b.mu.Lock()
	b.calls = append(b.calls, e.Name)
	b.mu.Unlock()
	for _, p := range b.told {
		report(p)
	}
	said, err := b.run(ctx, e.Tool.Name, args)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil
}

func echo(_ context.Context, tool string, args map[string]any) (string, error) {
	return fmt.Sprint(tool, " ", args["n"]), nil
}

func gemini(t *testing.T, s *geminitest.Server) *Gemini {
	t.Helper()
	g, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// collect runs a turn to its end.
func collect(ctx context.Context, s *Session, text string) (events []Event, err error) {
	for e, err := range s.Send(ctx, genai.NewPartFromText(text)) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

func only[E Event](events []Event) []E {
	var found []E
	for _, e := range events {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

func answerOf(events []Event) string {
	said := ""
	for _, d := range only[TextDelta](events) {
		said += d.Text
	}
	return said
}

// each asks a question about one call.
func each(ask func(context.Context, ToolCalled) (Decision, error)) Approve {
	return EachCall(func(ctx context.Context, p Pending) (Answer, error) {
		d, err := ask(ctx, p.Call)
		return Answer{Decision: d}, err
	})
}

func allowAll(context.Context, ToolCalled) (Decision, error) { return AllowOnce, nil }

// wordless is a [Model] that has no words of its own.
type wordless struct{ Model }

func (wordless) NeedsAllTools() bool { return true }
