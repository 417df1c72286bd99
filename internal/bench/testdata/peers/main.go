// Peers runs the work of goated's benchmarks with other libraries: the Go SDK of MCP and mcp-go,
// each with genai in a loop. It prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
)

func main() {
	f, err := measure(context.Background(), os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(f)
}

type figures map[string]float64

// A session is what the rows need of a library.
type session interface {
	tools() []*genai.FunctionDeclaration
	call(ctx context.Context, name string, args map[string]any) (text string, err error)
	close()
}

func connect(ctx context.Context, who string, count int) (session, error) {
	server := os.Getenv("BENCH_SERVER")
	env := append(os.Environ(), "BENCH_TOOLS="+strconv.Itoa(count))
	if who == "mcpgo" {
		return connectMCPGo(ctx, server, env)
	}
	return connectSDK(ctx, server, env)
}

// sdk is a session of the Go SDK.
type sdk struct {
	s        *mcp.ClientSession
	declared []*genai.FunctionDeclaration
}

func connectSDK(ctx context.Context, server string, env []string) (session, error) {
	cmd := exec.Command(server, "serve")
	cmd.Env = env
	s, err := mcp.NewClient(&mcp.Implementation{Name: "peer", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, err
	}
	out := &sdk{s: s}
	for t, err := range s.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		out.declared = append(out.declared, &genai.FunctionDeclaration{Name: t.Name, Description: t.Description, ParametersJsonSchema: t.InputSchema})
	}
	return out, nil
}

func (s *sdk) tools() []*genai.FunctionDeclaration { return s.declared }
func (s *sdk) close()                              { _ = s.s.Close() }
func (s *sdk) call(ctx context.Context, name string, args map[string]any) (string, error) {
	r, err := s.s.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		return "", err
	}
	return r.Content[0].(*mcp.TextContent).Text, nil
}

// other is a session of mcp-go.
type other struct {
	c        *mcpclient.Client
	declared []*genai.FunctionDeclaration
}

func connectMCPGo(ctx context.Context, server string, env []string) (session, error) {
	c, err := mcpclient.NewStdioMCPClient(server, env, "serve")
	if err != nil {
		return nil, err
	}
	var hello mcpgo.InitializeRequest
	hello.Params.ProtocolVersion = "2025-06-18"
	hello.Params.ClientInfo = mcpgo.Implementation{Name: "peer", Version: "1"}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, err
	}
	list, err := c.ListTools(ctx, mcpgo.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	out := &other{c: c}
	for _, t := range list.Tools {
		out.declared = append(out.declared, &genai.FunctionDeclaration{Name: t.Name, Description: t.Description, ParametersJsonSchema: t.InputSchema})
	}
	return out, nil
}

func (o *other) tools() []*genai.FunctionDeclaration { return o.declared }
func (o *other) close()                              { _ = o.c.Close() }
func (o *other) call(ctx context.Context, name string, args map[string]any) (string, error) {
	var req mcpgo.CallToolRequest
	req.Params.Name, req.Params.Arguments = name, args
	r, err := o.c.CallTool(ctx, req)
	if err != nil {
		return "", err
	}
	return r.Content[0].(mcpgo.TextContent).Text, nil
}

func measure(ctx context.Context, who, row string) (figures, error) {
	switch row {
	case "loop50":
		return loop(ctx, who, row, 50, 2)
	case "loop200":
		return loop(ctx, who, row, 200, 2)
	case "tools100":
		return loop(ctx, who, row, 50, 100)
	case "chunks10k":
		return chunks(ctx, who, row, 10_000)
	case "start20":
		return start(ctx, who, row, 20, 2)
	case "list1k":
		return start(ctx, who, row, 10, 100)
	case "list10k":
		return start(ctx, who, row, 100, 100)
	}
	s, err := connect(ctx, who, 2)
	if err != nil {
		return nil, err
	}
	defer s.close()
	echo := func() error {
		_, err := s.call(ctx, "echo", map[string]any{"id": 1})
		return err
	}
	switch row {
	case "call1":
		return calls(echo)
	case "call64":
		return inFlight(echo)
	case "result1", "result10", "result64":
		mb, _ := strconv.Atoi(strings.TrimPrefix(row, "result"))
		n := max(1, min(10, 30/mb))
		if _, err := s.call(ctx, "big", map[string]any{"MB": 1}); err != nil {
			return nil, err
		}
		began := time.Now()
		for range n {
			text, err := s.call(ctx, "big", map[string]any{"MB": mb})
			if err != nil {
				return nil, err
			}
			if len(text) < mb*900_000 {
				return nil, fmt.Errorf("%d bytes", len(text))
			}
		}
		return figures{row: milli(time.Since(began)) / float64(n)}, nil
	}
	return nil, fmt.Errorf("no row %s", row)
}

func milli(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func calls(call func() error) (figures, error) {
	const warm, n = 200, 3000
	var before, after runtime.MemStats
	for range warm {
		if err := call(); err != nil {
			return nil, err
		}
	}
	runtime.ReadMemStats(&before)
	began := time.Now()
	for range n {
		if err := call(); err != nil {
			return nil, err
		}
	}
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	return figures{"call1": 1000 * milli(took) / n, "callbytes": float64(after.TotalAlloc-before.TotalAlloc) / n, "callallocs": float64(after.Mallocs-before.Mallocs) / n}, nil
}

func inFlight(call func() error) (figures, error) {
	const n, width = 20_000, 64
	if err := call(); err != nil {
		return nil, err
	}
	var wg sync.WaitGroup
	errs := make([]error, width)
	began := time.Now()
	for i := range width {
		wg.Go(func() {
			for range n / width {
				if errs[i] = call(); errs[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return figures{"call64": 1000 * milli(took) / (n / width * width)}, nil
}

func newGenAI(ctx context.Context) (*genai.Client, error) {
	return genai.NewClient(ctx, &genai.ClientConfig{APIKey: "bench", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: os.Getenv("BENCH_URL")}})
}

// loop is a turn of n calls.
func loop(ctx context.Context, who, row string, n, count int) (figures, error) {
	s, err := connect(ctx, who, count)
	if err != nil {
		return nil, err
	}
	defer s.close()
	g, err := newGenAI(ctx)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("loop-%d-%s%s", n, who, strconv.FormatInt(time.Now().UnixNano(), 36))
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: s.tools()}}}
	history := genai.Text("go")
	began := time.Now()
	for done := 0; ; done++ {
		var parts []*genai.Part
		for r, err := range g.Models.GenerateContentStream(ctx, name, history, config) {
			if err != nil {
				return nil, err
			}
			parts = append(parts, r.Candidates[0].Content.Parts...)
		}
		history = append(history, &genai.Content{Role: "model", Parts: parts})
		var results []*genai.Part
		for _, p := range parts {
			if p.FunctionCall == nil {
				continue
			}
			text, err := s.call(ctx, p.FunctionCall.Name, p.FunctionCall.Args)
			if err != nil {
				return nil, err
			}
			results = append(results, &genai.Part{FunctionResponse: &genai.FunctionResponse{Name: p.FunctionCall.Name, Response: map[string]any{"output": text}}})
		}
		if len(results) == 0 {
			if done != n {
				return nil, fmt.Errorf("%d calls", done)
			}
			return figures{row: 1000 * milli(time.Since(began)) / float64(n)}, nil
		}
		history = append(history, &genai.Content{Role: "user", Parts: results})
	}
}

func chunks(ctx context.Context, who, row string, n int) (figures, error) {
	g, err := newGenAI(ctx)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	pieces := 0
	began := time.Now()
	for r, err := range g.Models.GenerateContentStream(ctx, fmt.Sprintf("chunks-%d-%s", n, who), genai.Text("go"), nil) {
		if err != nil {
			return nil, err
		}
		for _, p := range r.Candidates[0].Content.Parts {
			text.WriteString(p.Text)
			pieces++
		}
	}
	if pieces != n {
		return nil, fmt.Errorf("%d pieces", pieces)
	}
	return figures{row: milli(time.Since(began))}, nil
}

func start(ctx context.Context, who, row string, servers, count int) (figures, error) {
	began := time.Now()
	var wg sync.WaitGroup
	sessions, errs := make([]session, servers), make([]error, servers)
	for i := range servers {
		wg.Go(func() { sessions[i], errs[i] = connect(ctx, who, count) })
	}
	wg.Wait()
	took := time.Since(began)
	for i, s := range sessions {
		if errs[i] != nil {
			return nil, errs[i]
		}
		wg.Go(s.close)
	}
	wg.Wait()
	return figures{row: milli(took)}, nil
}
