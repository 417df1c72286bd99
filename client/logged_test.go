//go:build unix

package client_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// The error of a tool contains the lines that the server wrote during the call, and none from
// earlier calls.
func TestFailedCallHasItsLines(t *testing.T) {
	servertest.UsePython(t)
	script := filepath.Join(t.TempDir(), "live.py")
	source := servertest.Small(t) + `
import sys
server = MCPServer("live")

@server.tool()
def boom(key: str) -> str:
    print("KeyError: " + key, file=sys.stderr, flush=True)
    raise ToolError("Error executing tool boom")

@server.tool()
def fine(key: str) -> str:
    print("warning: " + key, file=sys.stderr, flush=True)
    return "ok"

server.run()
`
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	s := goServer(t)
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(web.Close) // after the host, which holds a stream open
	h := host(t, client.Options{Data: t.TempDir()})
	id := connect(t, h, client.Config{Path: script, Env: []string{"API_KEY=sk-hush-4711"}})
	for key, want := range map[string]string{"first": "KeyError: first", "second": "KeyError: second", "sk-hush-4711": "KeyError: [secret]"} {
		_, err := h.Call(t.Context(), id+"__boom", map[string]any{"key": key}, nil)
		var e *client.Error
		if !errors.As(err, &e) || !slices.Equal(e.Logged(), []string{want}) {
			t.Errorf("the error is %v with %q", err, e.Logged())
		}
	}
	// "goated call -v" sometimes omitted the last line, and did not mask secrets.
	if _, err := h.Call(t.Context(), id+"__fine", map[string]any{"key": "sk-hush-4711"}, nil); err != nil {
		t.Fatal(err)
	}
	if got := client.ServerOutput(t.Context(), h, id); len(got) != 4 || got[3] != "warning: [secret]" || strings.Contains(strings.Join(got, ""), "4711") {
		t.Errorf("the server logged %q", got)
	}
	for _, id := range []string{"nobody", connect(t, h, client.Config{URL: web.URL})} {
		if got := client.ServerOutput(t.Context(), h, id); got != nil {
			t.Errorf("%s logged %q", id, got)
		}
	}
}
