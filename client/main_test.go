//go:build unix

package client_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"goated/client"
	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

func TestMain(m *testing.M) {
	if len(os.Args) >= 2 && os.Args[1] == "keep" { // used by TestBubblewrapThatDoesNotWork
		proc.Keep()
	}
	if len(os.Args) >= 3 && os.Args[1] == "record" {
		record(os.Args[2], os.Args[3:])
	}
	dir, err := os.MkdirTemp("", "goated-client-")
	if err != nil {
		panic(err)
	}
	built = dir
	// The tests wait more than they compute, so more of them run in parallel.
	flag.Parse()
	if n := 4 * runtime.GOMAXPROCS(0); flag.Lookup("test.parallel").Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = flag.Set("test.parallel", strconv.Itoa(n))
	}
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"), // comes from genai, which internal/wording imports
		goleak.Cleanup(func(code int) {
			_ = os.RemoveAll(dir)
			os.Exit(code)
		}))
}

// A testProgram is a program that tests start. The first test that needs it builds it. A test
// that runs this binary again passes the program's path in the environment variable env.
type testProgram struct {
	source string
	env    string

	once sync.Once
	path string
	err  error
}

var (
	built        string         // the folder of the built programs
	environ      = os.Environ() // copied, because a test may change its own, and with another HOME, Go compiles its library again
	faultyServer = testProgram{source: "./testdata/misbehave", env: "GOATED_TEST_MISBEHAVE"}
	smallKeeper  = testProgram{source: "goated/cmd/keeper", env: "GOATED_TEST_KEEPER"} // the same program that goated embeds
)

func (p *testProgram) build(t testing.TB) string {
	t.Helper()
	p.once.Do(func() {
		if p.path = os.Getenv(p.env); p.path != "" {
			return
		}
		p.path = filepath.Join(built, filepath.Base(p.source))
		build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", p.path, p.source)
		build.Env = append(environ, "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			p.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p.path
}

// misbehave returns the configuration of testdata/misbehave with args.
func misbehave(t testing.TB, args ...string) client.Config {
	t.Helper()
	return client.Config{Path: faultyServer.build(t), Name: "m", Args: args, Bundled: true}
}

// keeper returns the command of a keeper, which ignores additional arguments.
func keeper(t testing.TB) []string {
	t.Helper()
	return []string{smallKeeper.build(t)}
}

// host returns a host that is closed at the end of the test.
func host(t *testing.T, o client.Options) *client.Host {
	t.Helper()
	if o.Process.Keeper == nil {
		o.Process.Keeper = keeper(t)
	}
	usual := o.Env == nil
	if usual {
		o.Env = servertest.Environ(t)
	}
	if o.Unconfined == nil { // without a sandbox on this system, the tests run unconfined
		o.Unconfined = func(context.Context, string, client.Config) bool { return true }
	}
	h := client.New(o)
	t.Cleanup(h.Close)
	if usual {
		client.ShareBubble(h, usualBubble)
	}
	return h
}

// usualBubble tries bubblewrap once for all hosts with the usual PATH. A try takes half the
// processor time of starting a small server.
var usualBubble = sync.OnceValue(func() sandbox.Bubble { return sandbox.FindBubble(context.Background(), os.Getenv("PATH")) })

func connect(t *testing.T, h *client.Host, c client.Config) string {
	t.Helper()
	id, err := h.Connect(t.Context(), c)
	if err != nil {
		t.Fatalf("connecting %s: %v\n%s", c.Path, err, stderr(err))
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	return id
}

func stderr(err error) string {
	var e *client.Error
	if errors.As(err, &e) {
		return strings.Join(e.Stderr, "\n")
	}
	return ""
}

func said(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	if r == nil || len(r.Content) == 0 {
		t.Fatalf("no content in %+v", r)
	}
	text, ok := r.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content is %T", r.Content[0])
	}
	return text.Text
}

// until waits until a state of the host satisfies reached. It checks every state, even one that
// the next state replaces immediately.
func until(t *testing.T, h *client.Host, what string, reached func(client.Snapshot) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for s := range h.Watch(ctx) {
		if reached(s) {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

// soak returns the number of repetitions from an environment variable, or otherwise if the
// variable is not set.
func soak(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}
