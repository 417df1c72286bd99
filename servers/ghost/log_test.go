package ghost

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A control character at the beginning of a message is escaped like any other: a
// message must not begin a line of its own.
func TestLogEscapesTheFirstCharacter(t *testing.T) {
	for text, want := range map[string]string{"\nx": `\u000ax`, "x\n": `x\u000a`, "x": "x", "": ""} {
		if got := oneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	whole := strings.Repeat("x", maxMessage)
	if got := clip(whole); got != whole {
		t.Errorf("%d of %d bytes are left", len(got), len(whole))
	}
	if got := clip(whole + "y"); got != whole+"…" {
		t.Errorf("the text ends with %q", got[len(got)-8:])
	}
}

// The log has the calls that the SDK refuses, too.
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
