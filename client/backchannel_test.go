package client_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// Today's Python SDK can ask the user only in the older protocol, although it speaks
// the new one. goated finds that out, makes the call again, and remembers it (measured,
// root cause 8).
func TestAServerOfThePythonSDKCanAsk(t *testing.T) {
	servertest.UsePython(t)
	cache := filepath.Join(t.TempDir(), "protocols.json")
	for _, run := range []string{"first", "second"} {
		asked := 0
		h := client.New(client.Options{Kept: client.KeptOptions{ProtocolCache: cache}, Elicit: func(_ context.Context, _ client.Asker, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			if asked++; p.Message != "Which table?" {
				t.Errorf("it asks %q", p.Message)
			}
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"table": 7}}, nil
		}})
		id, err := h.Connect(t.Context(), client.Config{Path: "testdata/asks.py", NoSandbox: true})
		if err != nil {
			t.Fatal(err)
		}
		r, err := h.Call(t.Context(), id+"__book", nil, nil)
		if err != nil || len(r.Content) != 1 || r.Content[0].(*mcp.TextContent).Text != "accept 7" || asked != 1 {
			t.Errorf("%s run: %+v, %v, asked %d times", run, r, err, asked)
		}
		h.Close()
	}
}
