// Package properties_test checks the promises of goated for any input: the seven correctness
// properties of seed 003 and the properties that follow from them. It uses only exported API and
// the real program.
//
// RAPID_CHECKS sets the number of checks of each property. The server of a check is
// this test binary itself (see serve); most checks of a property share one.
package properties_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"goated/client"
)

// serverArg as the first argument makes the test binary an MCP server.
const serverArg = "-be-an-mcp-server"

var scratch string // a folder for as long as the tests run

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == serverArg {
		serve(os.Args[2])
		return
	}
	log.SetOutput(io.Discard) // genai logs broken streams there
	var err error
	if scratch, err = os.MkdirTemp("", "goated-properties-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m,
		// A dependency of genai starts a worker when it is loaded.
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"),
		goleak.Cleanup(func(code int) {
			_ = os.RemoveAll(scratch)
			os.Exit(code)
		}))
}

// program returns the real goated without the window. This is GOATED_HEADLESS if that is set.
// Otherwise it is built once for all tests.
var program = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("GOATED_HEADLESS"); path != "" {
		return path, nil
	}
	path := filepath.Join(scratch, "goated")
	build := exec.Command("go", "build", "-tags", "headless", "-o", path, "goated/cmd/goated")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building goated: %w\n%s", err, out)
	}
	return path, nil
})

// goated returns the path of the real program.
func goated(t *testing.T) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// newHost returns a host that is closed when the test ends.
func newHost(t *testing.T, o client.Options) *client.Host {
	t.Helper()
	if o.Unconfined == nil { // without a sandbox on this system, the tests run unconfined
		o.Unconfined = func(context.Context, string, client.Config) bool { return true }
	}
	h := client.New(o)
	t.Cleanup(h.Close)
	return h
}

// box returns the configuration of a server, which is this binary in a mode of serve.
func box(name, mode string) client.Config {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return client.Config{Path: self, Args: []string{serverArg, mode}, Name: name, Bundled: true}
}

func connect(t rapid.TB, h *client.Host, c client.Config) string {
	t.Helper()
	id, err := h.Connect(context.Background(), c)
	if err != nil {
		t.Fatalf("connecting %s: %v", c.Name, err)
	}
	return id
}

// serve runs a server whose tools and behaviour the test controls.
func serve(mode string) {
	switch mode {
	case "crash": // and print everything that it knows
		fmt.Fprintln(os.Stderr, "box: "+strings.Join(os.Environ(), " "))
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "eager":
		serveEager()
		return
	case "tardy":
		serveTardy()
		return
	case "digits":
		serveDigits()
		return
	}
	b := &served{server: mcp.NewServer(&mcp.Implementation{Name: "box", Version: "1"}, nil)}
	b.offer("ok", "fail", "refuse", "hang", "die", "ran")
	b.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch {
			case mode == "refuses":
				return nil, &jsonrpc.Error{Code: -32000, Message: "not today"}
			case method == "tools/list" && mode == "circles":
				return &mcp.ListToolsResult{Tools: b.list(), NextCursor: "again"}, nil
			case method == "tools/list":
				tools := b.list()
				if mode == "slow" { // so that its list is outdated when it arrives
					time.Sleep(30 * time.Millisecond)
				}
				return &mcp.ListToolsResult{Tools: tools}, nil
			case method == "tools/call":
				p := req.GetParams().(*mcp.CallToolParamsRaw)
				return b.call(ctx, p.Name, p.Arguments)
			}
			return next(ctx, method, req)
		}
	})
	_ = b.server.Run(context.Background(), &mcp.StdioTransport{}) // returns at the end of its input
}

// served is the state of the server. It answers lists and calls itself, because the SDK's server
// cannot offer the same name twice.
type served struct {
	server *mcp.Server

	mu      sync.Mutex
	tools   []*mcp.Tool
	changes int
	ran     []int // the numbers of the calls that ran
}

// offer sets the tools, in addition to the tool that changes them, and notifies the client.
func (b *served) offer(names ...string) {
	tools := []*mcp.Tool{boxTool("offer")}
	for _, n := range names {
		tools = append(tools, boxTool(n))
	}
	b.mu.Lock()
	b.tools = tools
	b.changes++
	marker := boxTool(fmt.Sprintf("change-%d", b.changes))
	b.mu.Unlock()
	b.server.AddTool(marker, nil) // only for the notification; clients do not see the SDK's list
}

// boxTool returns a tool of the server, or nil for the name "null".
func boxTool(name string) *mcp.Tool {
	if name == "null" {
		return nil
	}
	return &mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}
}

func (b *served) list() []*mcp.Tool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tools
}

func (b *served) call(ctx context.Context, name string, arguments json.RawMessage) (mcp.Result, error) {
	var args struct {
		N     int
		Why   string
		Names []string
	}
	if err := json.Unmarshal(arguments, &args); err != nil {
		return nil, err
	}
	b.mu.Lock()
	said := fmt.Sprintf("%s %d", name, args.N)
	if name == "ran" {
		data, _ := json.Marshal(b.ran)
		said, b.ran = string(data), nil
	} else {
		b.ran = append(b.ran, args.N)
	}
	b.mu.Unlock()
	switch name {
	case "offer":
		b.offer(args.Names...)
	case "fail":
		if args.Why == "environment" {
			args.Why = strings.Join(os.Environ(), " ")
		}
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: args.Why}}}, nil
	case "refuse":
		return nil, &jsonrpc.Error{Code: -32603, Message: "out of ink"}
	case "hang":
		<-ctx.Done()
		return nil, errors.New("cancelled")
	case "die":
		fmt.Fprintln(os.Stderr, "box: last words")
		os.Exit(7)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil
}

// serveEager runs a server that adds a tool right after its first list, and notifies the client
// immediately. It does not use the SDK, which delays the notification.
func serveEager() {
	in := bufio.NewScanner(os.Stdin)
	listed := 0
	for in.Scan() {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		answer, then := `"error":{"code":-32601,"message":"Method not found"}`, ""
		switch req.Method {
		case "initialize":
			answer = `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"eager","version":"1"}}`
		case "tools/list":
			answer = `"result":{"tools":[{"name":"early","inputSchema":{"type":"object"}}]}`
			if listed++; listed == 1 {
				then = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` + "\n"
			} else {
				answer = `"result":{"tools":[{"name":"late","inputSchema":{"type":"object"}}]}`
			}
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,%s}`+"\n%s", req.ID, answer, then)
	}
}

// serveTardy runs a server of the current protocol that reads the request for notifications late.
// It changes its tools before that, without notifying the client.
func serveTardy() {
	in := bufio.NewScanner(os.Stdin)
	listen, listed := "", 0
	for in.Scan() {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		tools, then := `{"name":"early","inputSchema":{"type":"object"}}`, ""
		switch req.Method {
		case "subscriptions/listen":
			listen = string(req.ID) // gets its response at the end
			continue
		case "tools/list":
			if listed++; listed > 1 {
				tools = `{"name":"late","inputSchema":{"type":"object"}}`
			} else if listen != "" {
				then = fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},`+
					`"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`+"\n", listen)
			}
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},`+
			`"serverInfo":{"name":"tardy","version":"1"},"tools":[%s]}}`+"\n%s", req.ID, tools, then)
	}
}
