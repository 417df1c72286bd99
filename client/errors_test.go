//go:build unix

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// The messages match rows 1 to 5 of the seed's error table, word for word. A server that cannot
// start is not listed.
func TestConnectErrors(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing.py")
	for _, tt := range []struct {
		name   string
		config client.Config
		kind   error
		want   string
		listed bool
	}{
		{"extension before existence", client.Config{Path: "/no/such/server.rb"}, client.ErrExtension, "Invalid server script type. Must be .py, .js or .go", false},
		{"case counts", client.Config{Path: "/no/such/server.PY"}, client.ErrExtension, "Invalid server script type. Must be .py, .js or .go", false},
		{"below a file", client.Config{Path: "/dev/null/server.py"}, client.ErrNotFound, "Server script not found: /dev/null/server.py", false},
		{"missing", client.Config{Path: missing}, client.ErrNotFound, "Server script not found: " + missing, false},
		{"crash", client.Config{Path: servertest.Script("raw.py"), Args: []string{"crash"}}, client.ErrStart, "Failed to start server: exit status 3: raw.py: no such module", true},
		{"hang", client.Config{Path: servertest.Script("raw.py"), Args: []string{"hang"}}, client.ErrConnectTimeout, "Connection timeout after 2 seconds", true},
		{"refuses", client.Config{Path: servertest.Script("raw.py"), Args: []string{"refuses"}}, client.ErrProtocol, "MCP protocol error: not today", true},
		{"circles", client.Config{Path: servertest.Script("raw.py"), Args: []string{"circles"}}, client.ErrProtocol, "MCP protocol error: the server's list of tools repeats its pages", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limit := time.Minute
			if tt.kind == client.ErrConnectTimeout {
				limit = 2 * time.Second
			}
			h := host(t, client.Options{Timeouts: client.Timeouts{Connect: limit}})
			_, err := h.Connect(t.Context(), tt.config)
			if !errors.Is(err, tt.kind) || err.Error() != tt.want {
				t.Errorf("got %q, want %q", err, tt.want)
			}
			if wording.Advice(err) == "" {
				t.Error("no advice")
			}
			s := h.Snapshot()
			if listed := len(s.Servers) == 1; listed != tt.listed {
				t.Fatalf("listed: %v, want %v", listed, tt.listed)
			}
			if tt.listed && (s.Servers[0].Status != client.Failed || s.Servers[0].Err == nil) {
				t.Errorf("on the card: %+v", s.Servers[0])
			}
			if s.Tools() != 0 {
				t.Errorf("%d tools of a server that failed", s.Tools())
			}
			if tt.listed { // a failed server can be dismissed
				if err := h.Disconnect(t.Context(), s.Servers[0].ID); err != nil || len(h.Snapshot().Servers) != 0 {
					t.Errorf("dismissing: %v, %+v", err, h.Snapshot())
				}
			}
		})
	}
}

// A host without explicit limits uses the limits in the seed's sentences.
func TestTheLimitsAreThoseOfTheSeed(t *testing.T) {
	t.Parallel()
	connect, call := host(t, client.Options{}).Timeouts()
	for _, tt := range []struct {
		err  client.Error
		want string
	}{
		{client.Error{Kind: client.ErrConnectTimeout, After: connect}, "Connection timeout after 30 seconds"},
		{client.Error{Kind: client.ErrCallTimeout, After: call}, "Tool execution timeout after 60 seconds"},
	} {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestSpawnFailure(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: []string{"PATH=" + t.TempDir()}})
	_, err := h.Connect(t.Context(), client.Config{Path: servertest.Dice()})
	if want := `Failed to start server: exec: "node": executable file not found in $PATH`; !errors.Is(err, client.ErrStart) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if !strings.Contains(wording.Advice(err), "Install") {
		t.Errorf("advice %q", wording.Advice(err))
	}
}

// The messages match rows 6, 7 and 9 of the seed's table; [TestServerOfTheOlderPythonSDK] has row 8.
// By requirement 3.7, the last call ends its server.
func TestCallErrors(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	path := filepath.Join(t.TempDir(), "fast.py")
	if err := os.WriteFile(path, []byte(servertest.Small(t)+`
import os

server = MCPServer("fast")


@server.tool()
def fail(why: str) -> str:
    raise ValueError(why)


@server.tool()
def die(code: int) -> str:
    print("fast.py: last words", file=sys.stderr, flush=True)
    os._exit(code)


server.run()
`), 0o600); err != nil {
		t.Fatal(err)
	}
	connect(t, h, client.Config{Path: path})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"rpcerror"}})

	_, err := h.Call(t.Context(), "fast__nope", nil, nil)
	if want := "Tool 'fast__nope' not found in any connected server"; !errors.Is(err, client.ErrToolNotFound) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	_, err = h.Lookup("fast__faill")
	if want := "Tool 'fast__faill' not found in any connected server. Similar names: fast__fail"; !errors.Is(err, client.ErrToolNotFound) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}

	_, err = h.Call(t.Context(), "raw__one", nil, nil)
	if want := "Tool execution failed: out of ink"; !errors.Is(err, client.ErrTool) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}

	before := h.Snapshot().Tools()
	_, err = h.Call(t.Context(), "fast__die", map[string]any{"code": 7}, nil)
	if want := "Server disconnected during execution: exit status 7: fast.py: last words"; !errors.Is(err, client.ErrDisconnected) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	until(t, h, "the server failed", func(s client.Snapshot) bool {
		if s.Servers[0].Status != client.Failed || s.Servers[0].Err == nil {
			return false
		}
		if len(s.Servers[0].Tools) != 0 || s.Tools() != 2 || before != 4 {
			t.Errorf("tools left: %d of %d", s.Tools(), before)
		}
		if want := "Server exited: exit status 7: fast.py: last words"; s.Servers[0].Err.Error() != want {
			t.Errorf("reason %q, want %q", s.Servers[0].Err, want)
		}
		if !slices.Contains(s.Servers[0].Stderr, "fast.py: last words") {
			t.Errorf("stderr on the card: %q", s.Servers[0].Stderr)
		}
		return true
	})
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}
