package ui

import (
	"context"
	"strings"

	"goated/agent"
	"goated/client"
)

type decided struct {
	decision agent.Decision
	err      error
}

// approve asks on a goroutine, as a session does.
func approve(d *desk, ctx context.Context, tool string) chan decided {
	out := make(chan decided, 1)
	go func() {
		decision, err := d.dialogs.Approve(ctx, agent.ToolCalled{Tool: tool, Server: "files", Args: map[string]any{"path": "/etc/" + tool}})
		out <- decided{decision, err}
	}()
	return out
}

// said waits until the only server has written text.
func (d *desk) said(text string) {
	d.t.Helper()
	d.until("the server says "+text, func() bool {
		s := d.options.Host.Snapshot().Servers
		return len(s) == 1 && s[0].Status == client.Connected && strings.Contains(strings.Join(s[0].Stderr, "\n"), text)
	})
}
