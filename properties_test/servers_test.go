package properties_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"pgregory.net/rapid"

	"goated/registry"
	"goated/servers"
)

// A bundled server runs like under any MCP client, and the test reads all of its stdout. It has its
// own session, so it cannot ring the terminal's bell, and an empty PATH, so it finds no player.
type bundled struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.Reader
	stderr bytes.Buffer // read after the server has exited
	lines  wireLines
}

// wireLines records every complete line that is not a JSON-RPC message.
type wireLines struct {
	mu      sync.Mutex
	partial []byte
	wrong   []string
	right   int
}

func (w *wireLines) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.partial = append(w.partial, p...)
	for {
		line, rest, ok := bytes.Cut(w.partial, []byte{'\n'})
		if !ok {
			return len(p), nil
		}
		if _, err := jsonrpc.DecodeMessage(line); err != nil {
			w.wrong = append(w.wrong, fmt.Sprintf("%q: %v", line, err))
		} else {
			w.right++
		}
		w.partial = rest
	}
}

func startBundled(t *testing.T, name string) *bundled {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"home", "home/Desktop", "data", "root", "tmp", "bin"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b := &bundled{cmd: exec.Command(goated(t), "serve", name, "--data", filepath.Join(dir, "data"))}
	b.cmd.Dir = filepath.Join(dir, "root")
	b.cmd.Env = []string{"HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + filepath.Join(dir, "tmp"), "PATH=" + filepath.Join(dir, "bin")}
	b.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	b.cmd.Stderr = &b.stderr
	var err error
	if b.stdin, err = b.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := b.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	b.stdout = io.TeeReader(stdout, &b.lines)
	if err := b.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return b
}

// end closes the server's input, and returns an error if the server did not exit cleanly.
func (b *bundled) end() error {
	_ = b.stdin.Close() // already closed if a session has ended
	ended := make(chan error, 1)
	go func() {
		_, _ = io.Copy(io.Discard, b.stdout)
		ended <- b.cmd.Wait()
	}()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("after the end of its input: %w\n%s", err, &b.stderr)
		}
	case <-time.After(20 * time.Second):
		_ = syscall.Kill(-b.cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		return fmt.Errorf("it runs on for 20 s after the end of its input")
	}
	if err := syscall.Kill(-b.cmd.Process.Pid, 0); err == nil {
		return fmt.Errorf("it left a process behind")
	}
	b.lines.mu.Lock()
	defer b.lines.mu.Unlock()
	if len(b.lines.wrong) > 0 || len(b.lines.partial) > 0 || b.lines.right == 0 {
		return fmt.Errorf("stdout: %d messages, and %q, and %q", b.lines.right, b.lines.wrong, b.lines.partial)
	}
	return nil
}

// Any client can run a bundled server: it starts, lists tools that every model accepts, survives any
// arguments, and exits at the end of its input. All checks of a server share one process.
func TestBundledServersConform(t *testing.T) {
	if len(servers.All()) == 0 {
		t.Fatal("there are no servers")
	}
	for _, s := range servers.All() {
		t.Run(s.Name, func(t *testing.T) {
			b := startBundled(t, s.Name)
			c := mcp.NewClient(&mcp.Implementation{Name: "properties", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "cancel"}, nil // there is no user
				},
			})
			session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(b.stdout), Writer: b.stdin}, nil)
			if err != nil {
				t.Fatal(err)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) == 0 {
				t.Fatalf("%d tools, %v", len(list.Tools), err)
			}
			schemas := make(map[string]*jsonschema.Schema)
			for _, tool := range list.Tools {
				schemas[tool.Name] = checkTool(t, s.Name, tool)
			}
			rapid.Check(t, func(t *rapid.T) { bearsArguments(t, session, list.Tools, schemas) })
			if after, err := session.ListTools(t.Context(), nil); err != nil || len(after.Tools) != len(list.Tools) {
				t.Errorf("after the calls: %v", err)
			}
			if err := session.Close(); err != nil {
				t.Error(err)
			}
			if err := b.end(); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkTool checks that the name needs no digest, and that the schema is an object with plain
// members, which every provider accepts.
func checkTool(t *testing.T, server string, tool *mcp.Tool) *jsonschema.Schema {
	t.Helper()
	if id := registry.ServerID(server); id != server || registry.Qualify(server, tool.Name) != server+"__"+tool.Name {
		t.Errorf("%s of %s is named %s", tool.Name, server, registry.Qualify(server, tool.Name))
	}
	if tool.Description == "" || tool.Annotations == nil {
		t.Errorf("%s has no description or no annotations", tool.Name)
	}
	data, err := json.Marshal(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	schema := new(jsonschema.Schema)
	if err := json.Unmarshal(data, schema); err != nil {
		t.Fatalf("the schema of %s: %v", tool.Name, err)
	}
	if _, err := schema.Resolve(nil); err != nil { // without a loader, so the schema must be self-contained
		t.Errorf("the schema of %s: %v", tool.Name, err)
	}
	if schema.Type != "object" {
		t.Errorf("%s takes a %q", tool.Name, schema.Type)
	}
	plainMembers(t, tool.Name, schema, true)
	return schema
}

// plainMembers checks that each member is a scalar or a list of scalars, or, at the top,
// an object of these or a list of such objects.
func plainMembers(t *testing.T, tool string, schema *jsonschema.Schema, top bool) {
	t.Helper()
	scalar := []string{"string", "number", "integer", "boolean"}
	for name, p := range schema.Properties {
		choices := p.Type == "array" && p.Items != nil && slices.Contains(scalar, p.Items.Type)
		switch {
		case p.Ref != "" || p.AnyOf != nil || p.OneOf != nil:
			t.Errorf("%s of %s has alternatives", name, tool)
		case top && p.Type == "object" && len(p.Properties) > 0:
			plainMembers(t, tool, p, false)
		case top && p.Type == "array" && p.Items != nil && len(p.Items.Properties) > 0:
			plainMembers(t, tool, p.Items, false)
		case !choices && !slices.Contains(scalar, p.Type):
			t.Errorf("%s of %s is no scalar", name, tool)
		}
	}
}

// bearsArguments calls a tool with valid or invalid arguments. The server must respond soon and
// keep running.
func bearsArguments(t *rapid.T, session *mcp.ClientSession, tools []*mcp.Tool, schemas map[string]*jsonschema.Schema) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	tool := rapid.SampledFrom(tools).Draw(t, "tool").Name
	schema := schemas[tool]
	var args any
	garbage := rapid.IntRange(0, 2).Draw(t, "garbage")
	switch garbage {
	case 0:
		args = conforming(schema).Draw(t, "args")
	case 1: // the right names with arbitrary values
		some := make(map[string]any)
		for name := range schema.Properties {
			if rapid.Bool().Draw(t, "has "+name) {
				some[name] = jsonValues(floats(), 2).Draw(t, name)
			}
		}
		args = some
	default:
		args = jsonObjects(floats()).Draw(t, "garbage args")
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	switch {
	case ctx.Err() != nil:
		t.Fatalf("%s hangs with %v", tool, args)
	case err != nil && garbage == 0:
		t.Fatalf("%s refuses %v: %v", tool, args, err)
	case err == nil && len(result.Content) == 0:
		t.Fatalf("%s says nothing to %v", tool, args)
	}
	if err := session.Ping(ctx, nil); err != nil {
		t.Fatalf("after %s with %v: %v", tool, args, err)
	}
}

// conforming generates valid arguments for a schema.
func conforming(schema *jsonschema.Schema) *rapid.Generator[map[string]any] {
	var value func(t *rapid.T, s *jsonschema.Schema, name string) any
	value = func(t *rapid.T, s *jsonschema.Schema, name string) any {
		switch {
		case len(s.Enum) > 0:
			return rapid.SampledFrom(s.Enum).Draw(t, name)
		case s.Type == "boolean":
			return rapid.Bool().Draw(t, name)
		case s.Type == "integer", s.Type == "number":
			low, high := -100.0, 100.0
			if s.Minimum != nil {
				low, high = *s.Minimum, *s.Minimum+100
			}
			if s.Maximum != nil {
				low, high = min(low, *s.Maximum), *s.Maximum
			}
			return rapid.IntRange(int(low), int(high)).Draw(t, name)
		case s.Type == "array":
			return []any{value(t, s.Items, name)}
		case s.Type == "object":
			members := make(map[string]any)
			for member, p := range s.Properties {
				members[member] = value(t, p, member)
			}
			return members
		}
		return rapid.OneOf(texts(), rapid.SampledFrom([]string{".", "..", "/", "a.txt", "../a.txt", "/etc/passwd", "~", "a", "CON"})).Draw(t, name)
	}
	return rapid.Custom(func(t *rapid.T) map[string]any {
		args := make(map[string]any)
		for name, p := range schema.Properties {
			if slices.Contains(schema.Required, name) || rapid.Bool().Draw(t, "has "+name) {
				args[name] = value(t, p, name)
			}
		}
		return args
	})
}

// The same without an SDK on the client side: the server answers hand-written lines, some of which
// are not messages, only with messages.
func TestBundledServersSpeakOnlyMCP(t *testing.T) {
	for _, s := range servers.All() {
		t.Run(s.Name, func(t *testing.T) {
			b := startBundled(t, s.Name)
			answers := bufio.NewReader(b.stdout)
			for i, line := range []string{
				`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}`,
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
				`{"jsonrpc":"2.0","id":2,"method":"no/such/method"}`,
				`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"no_such_tool"}}`,
				`{"jsonrpc":"2.0","id":4,"method":"tools/list"}`,
			} {
				if _, err := io.WriteString(b.stdin, line+"\n"); err != nil {
					t.Fatal(err)
				}
				if i == 1 {
					continue
				}
				answer, err := answers.ReadBytes('\n')
				if err != nil {
					t.Fatalf("no answer to %s: %v", line, err)
				}
				var got struct{ ID int }
				if err := json.Unmarshal(answer, &got); err != nil || got.ID != max(i, 1) {
					t.Fatalf("%s is answered by %s", line, answer)
				}
			}
			if err := b.end(); err != nil {
				t.Error(err)
			}
		})
	}
}
