package terminal

import (
	"bytes"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/registry"
)

// The lines of a turn and the questions about calls showed the ids of servers. The window shows
// their names.
func TestTheTerminalNamesServers(t *testing.T) {
	server := func(id string) string { return map[string]string{"my-dice": "My Dice"}[id] }
	call := agent.ToolCalled{ID: "1", Name: "my-dice__roll", Server: "my-dice", Tool: "roll"}
	var turn bytes.Buffer
	p := Printer{Out: &turn, Stderr: &turn, Server: server}
	for _, e := range []agent.Event{call, agent.ToolQuarantined{Name: call.Name, Server: call.Server, Tool: call.Tool, Reason: "no"}} {
		if err := p.Print(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := turn.String(); !strings.Contains(got, "⚙ roll · My Dice") || !strings.Contains(got, "the tool roll of My Dice out of") {
		t.Errorf("the turn says\n%s", got)
	}
	var question bytes.Buffer
	a := Approver{Prompter: NewPrompter(newPiped(strings.NewReader("n\n"), &question)), Server: server}
	if _, err := a.Approve(t.Context(), []agent.Pending{{Call: call, Entry: registry.Entry{Tool: &mcp.Tool{Name: "roll"}}}}); err != nil {
		t.Fatal(err)
	}
	if got := question.String(); !strings.Contains(got, "Server      My Dice") {
		t.Errorf("the question says\n%s", got)
	}
}
