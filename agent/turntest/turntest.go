// Package turntest provides helpers for tests of turns: tools without servers, and the events of a
// turn. It does not import agent, so that agent's own tests can use it, too.
package turntest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
)

// A Toolbox implements agent.Tools without servers.
type Toolbox struct {
	Registry registry.Registry
	Run      func(ctx context.Context, tool string, args map[string]any) (string, error)
	// Told lists the progress that each call reports before it runs.
	Told []*mcp.ProgressNotificationParams

	mu    sync.Mutex
	Calls []string // qualified names, in the order in which they ran
}

// New returns the named tools of a server "box". They accept any arguments and return the result of
// run.
func New(run func(ctx context.Context, tool string, args map[string]any) (string, error), names ...string) *Toolbox {
	b := &Toolbox{Run: run}
	var offered []*mcp.Tool
	for _, n := range names {
		offered = append(offered, &mcp.Tool{Name: n, Description: "does " + n, InputSchema: map[string]any{"type": "object"}})
	}
	b.Registry.Set("box", false, registry.Origin{}, offered)
	return b
}

// Echo returns the name of the tool and its argument n.
func Echo(_ context.Context, tool string, args map[string]any) (string, error) {
	return fmt.Sprint(tool, " ", args["n"]), nil
}

// Tools implements agent.Tools.
func (b *Toolbox) Tools() iter.Seq[registry.Entry] { return slices.Values(b.Registry.All()) }

// Lookup implements agent.Tools.
func (b *Toolbox) Lookup(name string) (registry.Entry, error) {
	e, ok := b.Registry.Lookup(name)
	if !ok {
		return e, fmt.Errorf("no tool is named %s", name)
	}
	return e, nil
}

// CallEntry implements agent.Tools.
func (b *Toolbox) CallEntry(ctx context.Context, e registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	if now, err := b.Lookup(e.Name); err != nil || !now.Same(e) {
		return nil, fmt.Errorf("%s is not what was approved (%w)", e.Name, err)
	}
	b.mu.Lock()
	b.Calls = append(b.Calls, e.Name)
	b.mu.Unlock()
	for _, p := range b.Told {
		report(p)
	}
	said, err := b.Run(ctx, e.Tool.Name, args)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil
}

// Collect runs a turn to its end.
func Collect[Event any](turn iter.Seq2[Event, error]) (events []Event, err error) {
	for e, err := range turn {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

// Only returns the events of one type.
func Only[E, Event any](events []Event) []E {
	var found []E
	for _, e := range events {
		if e, ok := any(e).(E); ok {
			found = append(found, e)
		}
	}
	return found
}
