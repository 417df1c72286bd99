package client_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/servertest"
)

// compiled builds simple.go, so that the figures do not include the time of go run.
func compiled(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "simple")
	if out, err := exec.Command("go", "build", "-o", path, servertest.Script("simple.go")).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

var product = map[string]any{"a": 6, "b": 7}

// BenchmarkCall compares two ways to call one tool of one process: our host, and a bare session
// over the SDK's transport.
func BenchmarkCall(b *testing.B) {
	server := compiled(b)
	b.Run("goated", func(b *testing.B) {
		h := client.New(client.Options{})
		defer h.Close()
		if _, err := h.Connect(b.Context(), client.Config{Path: server, Name: "simple", Bundled: true}); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := h.Call(b.Context(), "simple__multiply", product, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sdk", func(b *testing.B) {
		c := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
		session, err := c.Connect(b.Context(), &mcp.CommandTransport{Command: exec.Command(server)}, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer session.Close()
		for b.Loop() {
			if _, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: "multiply", Arguments: product}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkConnect measures connecting and disconnecting, including the processes.
func BenchmarkConnect(b *testing.B) {
	server := compiled(b)
	b.Run("goated", func(b *testing.B) {
		h := client.New(client.Options{})
		defer h.Close()
		for b.Loop() {
			id, err := h.Connect(context.Background(), client.Config{Path: server, Name: "simple", Bundled: true})
			if err != nil {
				b.Fatal(err)
			}
			if err := h.Disconnect(context.Background(), id); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sdk", func(b *testing.B) {
		for b.Loop() {
			c := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
			session, err := c.Connect(context.Background(), &mcp.CommandTransport{Command: exec.Command(server)}, nil)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := session.ListTools(context.Background(), nil); err != nil {
				b.Fatal(err)
			}
			_ = session.Close()
		}
	})
}
