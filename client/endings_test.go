//go:build linux

package client_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/waittest"
)

// goated receives a server's last message, however large it is, even if the server is gone
// before the message is decoded.
func TestLastWord(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"300000", "16777216"} {
		for range 2 {
			h := host(t, client.Options{})
			connect(t, h, misbehave(t, "last", size))
			if r, err := h.Call(t.Context(), "m__one", nil, nil); err != nil {
				t.Errorf("%s bytes: %v", size, err)
			} else if got := said(t, r); len(got) < 290_000 {
				t.Errorf("%s bytes: %d", size, len(got))
			}
			h.Close()
		}
	}
}

// While a server's question is open, goated reports the server's end, restarts the server, and
// can disconnect it. None of this depends on when the user answers.
func TestEndWaitsForNoAnswer(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	h := host(t, client.Options{Restart: true, Elicit: func(context.Context, client.Asker, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
		<-release
		return &mcp.ElicitResult{Action: "cancel"}, nil
	}})
	t.Cleanup(func() { close(release) }) // before h closes
	id := connect(t, h, misbehave(t, "askdie"))
	if _, err := h.Call(t.Context(), "m__one", nil, nil); !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("the call: %v", err)
	}
	waittest.Until(t, "it is back", func() bool {
		s := h.Snapshot().Servers[0]
		return s.Status == client.Connected && s.Err == nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := h.Disconnect(ctx, id); err != nil {
		t.Error(err)
	}
}

// A server without a sandbox can stop its keeper. goated kills such a keeper and the processes
// that it kept.
func TestStoppedKeeper(t *testing.T) {
	t.Parallel()
	id := mark(t)
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: 100 * time.Millisecond}})
	c := misbehave(t, "stopkeeper", id)
	c.NoSandbox = true
	server := connect(t, h, c)
	_, _ = h.Call(t.Context(), server+"__one", nil, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	began := time.Now()
	if err := h.Disconnect(ctx, server); err != nil {
		t.Error(err)
	}
	t.Logf("disconnected in %v", time.Since(began))
	if left := descendants(id); len(left) > 0 {
		t.Errorf("%d survive", len(left))
	}
}

// A program that is not a server and exits successfully has not written an error. The message
// says so, and names the stream of its last line. The earlier "without output: stdout: hello"
// contradicted itself.
func TestEndSaysWhereItsLastLineComesFrom(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"print('hello')\n": "it exited without an error message; its stdout says: hello",
		"import sys\nprint('bye', file=sys.stderr)\n": "it exited after it wrote: bye",
		"import sys\nprint('hello')\nsys.exit(3)\n":   "exit status 3; its stdout says: hello",
		"import sys\nsys.exit('it is broken')\n":      "exit status 1: it is broken",
		"pass\n":                                      "it exited without output",
	} {
		path := filepath.Join(t.TempDir(), "a.py")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := host(t, client.Options{}).Connect(t.Context(), client.Config{Path: path})
		if err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
