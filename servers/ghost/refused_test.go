package ghost

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The log also contains the calls that the SDK refuses.
func TestRefusedCallsAreLogged(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil {
		t.Fatal("an unknown tool was called")
	}
	if log := b.log.String(); !strings.Contains(log, "[ERROR] [Tool Error] ") || !strings.Contains(log, "no_such_tool") {
		t.Errorf("the log is\n%s", log)
	}
}
