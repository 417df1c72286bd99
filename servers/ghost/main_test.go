package ghost

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"goated/internal/waittest"
	"goated/servers/stdio"
)

// TestMain lets the test binary also be the other process of a test.
func TestMain(m *testing.M) {
	switch os.Getenv("GHOST_TEST_ROLE") {
	case "serve":
		serveRole()
	case "remember":
		rememberRole()
	case "count":
		countRole()
	default:
		goleak.VerifyTestMain(m)
	}
}

// serveRole runs the server in a separate process, like a client.
func serveRole() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	New(Options{}).Run(ctx, &stdio.Transport{In: os.Stdin, Out: os.Stdout, Log: os.Stderr})
}

// A buffer is a log that can be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// A bench is a ghost that can only access temporary directories.
type bench struct {
	*ghost
	root, desk string
	log        *buffer
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{root: t.TempDir(), desk: filepath.Join(t.TempDir(), "Desktop"), log: new(buffer)}
	b.ghost = newGhost(Options{
		Root:    b.root,
		Memory:  filepath.Join(t.TempDir(), "clippy_memory.json"),
		Desktop: b.desk,
		Log:     b.log,
	})
	b.sounds.goos = "linux"
	b.sounds.themes = []string{filepath.Join(t.TempDir(), "share")}
	b.sounds.cache = filepath.Join(t.TempDir(), "cache")
	b.sounds.tty = filepath.Join(t.TempDir(), "no", "tty")
	return b
}

// A client is a real MCP client of the ghost.
type client struct {
	*mcp.ClientSession
	t   testing.TB
	end func()
}

func (b *bench) connect(t *testing.T, opts *mcp.ClientSessionOptions) *client {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	ran := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background()) // outlives the test's context, which ends before the cleanups
	go func() { ran <- b.server().Run(ctx, far) }()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, near, opts)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	end := sync.OnceFunc(func() {
		cs.Close()
		if err := waittest.Receive(t, "the server ends", ran); err != nil && !errors.Is(err, io.ErrClosedPipe) { // a response was still being sent
			t.Errorf("Run: %v", err)
		}
		cancel()
	})
	t.Cleanup(end)
	return &client{ClientSession: cs, t: t, end: end}
}

// call returns the first text of the result.
func (c *client) call(tool string, args any) (text string, isError bool) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	res, err := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	if len(res.Content) == 0 {
		c.t.Fatalf("%s: empty result", tool)
	}
	return res.Content[0].(*mcp.TextContent).Text, res.IsError
}

func (c *client) succeed(tool string, args any) string {
	c.t.Helper()
	text, isError := c.call(tool, args)
	if isError {
		c.t.Fatalf("%s: %s", tool, text)
	}
	return text
}

// fail expects an error that has the common form and contains want.
func (c *client) fail(want, tool string, args any) string {
	c.t.Helper()
	text, isError := c.call(tool, args)
	if !isError {
		c.t.Fatalf("%s succeeded: %s; want an error about %q", tool, text, want)
	}
	if !strings.HasPrefix(text, "Error: ") || !strings.Contains(text, want) {
		c.t.Errorf("%s: got %q, want Error: … %q", tool, text, want)
	}
	return text
}

type args = map[string]any

func readNames(t testing.TB, dir string) []string {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func content(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
