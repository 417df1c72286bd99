package ui

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/registry"
	"goated/ui/internal/samples"
	"goated/ui/view"
)

// These helpers are for the tests that still reach inner fields of the window.

func matchGolden(t *testing.T, name string, dark bool, show func(d *desk)) {
	t.Helper()
	if testing.Short() {
		t.Skip("drawing is slow under the race detector, and has one goroutine")
	}
	d := newDesk(t, Options{Desktop: DesktopOptions{Dark: &dark}})
	d.see(samples.Servers())
	show(d)
	if dark {
		name += "_dark"
	}
	samples.Golden(t, name+".png", d.frame.win.Canvas().Capture())
}

func someChat() view.Chat { return samples.Chat() }

const richAnswer = samples.RichAnswer

// pendingCalls are three calls of a step, with their tools.
func pendingCalls() []agent.Pending {
	no, yes := false, true
	call := func(id, server, name, title, description string, a *mcp.ToolAnnotations, args map[string]any) agent.Pending {
		return agent.Pending{
			Call: agent.ToolCalled{ID: id, Name: server + "__" + name, Server: server, Tool: name, Args: args},
			Entry: registry.Entry{Name: server + "__" + name, Server: server, Origin: registry.Origin{Start: "npx " + server, Version: "1.5.0"}, Tool: &mcp.Tool{
				Name: name, Title: title, Description: description, Annotations: a, InputSchema: map[string]any{"type": "object"},
			}},
		}
	}
	return []agent.Pending{
		call("call-1", "Files", "move_files", "Move files", "Moves files into a folder. Existing files are never replaced.", &mcp.ToolAnnotations{OpenWorldHint: &no},
			map[string]any{"files": []any{"receipt-1.pdf", "receipt-2.pdf", "receipt-3.pdf", "receipt-4.pdf"}, "to": "~/trip/receipts/"}),
		call("call-2", "Files", "edit_file", "Edit a file", "Replaces one passage of a text file.", &mcp.ToolAnnotations{OpenWorldHint: &no},
			map[string]any{"file": "~/trip/budget.md", "change": "spent: 640, 410, 215"}),
		call("call-3", "Mail", "send", "Send a message", "Sends a plain-text message from your account.", &mcp.ToolAnnotations{OpenWorldHint: &yes},
			map[string]any{"to": "mara@example.org", "text": "The receipts are sorted. We have spent 1,265 of 1,800."}),
	}
}

// asking shows a question in the first conversation.
func (d *desk) asking(said, answered string, calls []agent.Pending) *[]agent.Answer {
	c := d.chats.Conversation()
	c.Chat = view.Chat{}.Say(said).Apply(agent.TextDelta{Text: answered})
	for _, p := range calls {
		c.Chat = c.Chat.Apply(p.Call)
	}
	c.Cancel = func() {}
	var got []agent.Answer
	d.chats.Questions.Ask(c, calls, func(all []agent.Answer) { got = all })
	return &got
}
