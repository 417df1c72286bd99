package view

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
)

// The card of a failed call contains the last lines that the server logged, and shows the reason
// while it is folded. It shows the server's error only once, although goated ends its own
// sentence with a period.
func TestFailedCardHasTheLogOfItsCall(t *testing.T) {
	const said = "Error executing tool boom"
	card := Card{Tool: "boom", Status: Running}.returned(agent.ToolReturned{
		Error: said + ".", Log: []string{"Traceback (most recent call last):", "KeyError: 'missing-key'", "The above exception was the direct cause of the following exception:", "mcp.exceptions.ToolError: Error executing tool boom"},
		Result: &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: said}}},
	})
	if got := card.Preview(); !strings.Contains(got, "KeyError: 'missing-key'") {
		t.Errorf("the folded card says %q", got)
	}
	if !strings.HasPrefix(card.Log, "Traceback") {
		t.Errorf("the log of the card is %q", card.Log)
	}
	if parts := card.Parts(); len(parts) > 0 {
		t.Errorf("the card repeats %q", parts[0].Text)
	}
}

// A line of a result is not cut as long as the card has room for it.
func TestPreviewOfACardFillsIt(t *testing.T) {
	const line = "The whole answer of the tool is on one line, and a card of 760 pixels has room for it."
	card := Card{Tool: "say", Status: Running}.returned(agent.ToolReturned{Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: line}}}})
	if got := card.Preview(); got != line {
		t.Errorf("the card says %q", got)
	}
}
