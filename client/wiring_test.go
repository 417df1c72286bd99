//go:build unix

package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
)

// wire is a server without an SDK. Its one tool returns the capabilities that
// goated advertised. With the argument "toolless" it declares no tools, but lists
// one; with "forever" a call reports progress and never ends.
const wire = `import json, sys
mode = sys.argv[1]
advertised = None
for line in sys.stdin:
    request = json.loads(line)
    method, id = request.get("method"), request.get("id")
    if id is None:
        continue
    answer = {"jsonrpc": "2.0", "id": id}
    if method == "initialize":
        advertised = request["params"]["capabilities"]
        capabilities = {} if mode == "toolless" else {"tools": {}}
        answer["result"] = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": {"name": "wire", "version": "1"}}
    elif method == "tools/list":
        answer["result"] = {"tools": [{"name": "seen", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call":
        if mode == "forever":
            token = request["params"]["_meta"]["progressToken"]
            print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}}), flush=True)
            continue
        answer["result"] = {"content": [{"type": "text", "text": json.dumps(advertised)}]}
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
`

func wired(t *testing.T, h *client.Host, mode string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "wire.py")
	if err := os.WriteFile(path, []byte(wire), 0o600); err != nil {
		t.Fatal(err)
	}
	connect(t, h, client.Config{Path: path, Args: []string{mode}})
}

// goated advertises only what it does: no roots and no sampling, which the SDK
// advertises by default.
func TestAdvertisedCapabilities(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	wired(t, h, "plain")
	result, err := h.Call(t.Context(), "wire__seen", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"roots", "sampling"} {
		if _, ok := got[name]; ok {
			t.Errorf("goated advertises %s: %v", name, got)
		}
	}
}

// goated asks no server for tools that declares none.
func TestServerWithoutTools(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	wired(t, h, "toolless")
	if s := h.Snapshot(); s.Connected() != 1 || s.Tools() != 0 {
		t.Errorf("%d servers, %d tools", s.Connected(), s.Tools())
	}
}

// The user cancels a call: that is no error of the tool, and not logged as one.
func TestCancelledCallIsNoError(t *testing.T) {
	t.Parallel()
	var log journal
	h := host(t, client.Options{Logger: log.logger()})
	wired(t, h, "forever")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	running := func(*mcp.ProgressNotificationParams) { cancel() }
	if _, err := h.Call(ctx, "wire__seen", nil, running); !errors.Is(err, context.Canceled) {
		t.Fatalf("the call ended with %v", err)
	}
	h.Close() // it logs nothing afterwards
	if log.has(`"level":"ERROR"`) {
		t.Errorf("the log is\n%s", log.text.String())
	}
}
