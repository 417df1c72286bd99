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
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"goated/client"
	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/wording"
)

func TestMain(m *testing.M) {
	if len(os.Args) >= 2 && os.Args[1] == "keep" { // see keeper
		proc.Keep()
	}
	if len(os.Args) >= 3 && os.Args[1] == "record" {
		record(os.Args[2], os.Args[3:])
	}
	dir, err := os.MkdirTemp("", "goated-client-")
	if err != nil {
		panic(err)
	}
	built.dir = dir
	// They wait more than they compute.
	flag.Parse()
	if n := 4 * runtime.GOMAXPROCS(0); flag.Lookup("test.parallel").Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = flag.Set("test.parallel", strconv.Itoa(n))
	}
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("go.opencensus.io/stats/view.(*worker).start"), // of genai, which internal/wording imports
		goleak.Cleanup(func(code int) {
			_ = os.RemoveAll(dir)
			os.Exit(code)
		}))
}

// built is the server that misbehaves, which is built when the first test wants
// it.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// misbehave is testdata/misbehave with its arguments.
func misbehave(t testing.TB, args ...string) client.Config {
	t.Helper()
	built.once.Do(func() {
		if built.path = os.Getenv("GOATED_TEST_MISBEHAVE"); built.path != "" { // see TestForkBomb
			return
		}
		built.path = filepath.Join(built.dir, "misbehave")
		out, err := exec.Command("go", "build", "-o", built.path, "./testdata/misbehave").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return client.Config{Path: built.path, Name: "m", Args: args, Bundled: true}
}

// keeper is this very program, as goated is its own keeper.
func keeper(t testing.TB) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, "keep"}
}

// host returns a host that must leave nothing behind.
func host(t *testing.T, o client.Options) *client.Host {
	t.Helper()
	if o.Process.Keeper == nil {
		o.Process.Keeper = keeper(t)
	}
	if o.Env == nil {
		o.Env = servertest.Environ(t)
	}
	if o.Unconfined == nil { // where there is no sandbox, the tests run without
		o.Unconfined = func(context.Context, string, client.Config) bool { return true }
	}
	h := client.New(o)
	t.Cleanup(h.Close)
	return h
}

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

// Real servers of every kind that a user connects: connect, list, call,
// disconnect.
func TestRealServers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hello.txt"), []byte("hello from a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	one, two := servertest.EnvironV1(t), servertest.Environ(t)
	for _, tt := range []struct {
		name   string
		env    []string
		config client.Config
		tool   string
		args   map[string]any
		want   string
	}{
		{"python sdk 1", one, client.Config{Path: servertest.Script("fast.py")}, "fast__add", map[string]any{"a": 2, "b": 40}, "42.0"},
		{"python sdk 2", two, client.Config{Path: servertest.Script("dice.py")}, "dice__roll", map[string]any{"sides": 1}, "1"},
		{"typescript sdk", two, client.Config{Path: servertest.Script("dice.js")}, "dice__roll", map[string]any{"sides": 1}, "1"},
		{"go sdk", two, client.Config{Path: servertest.Script("simple.go")}, "simple__multiply", map[string]any{"a": 6, "b": 7}, `{"product":42}`},
		{"everything", two, client.Config{Path: servertest.Everything(), Name: "everything"}, "everything__echo", map[string]any{"message": "hi"}, "Echo: hi"},
		{"filesystem", two, client.Config{Path: servertest.Filesystem(), Name: "filesystem", Args: []string{dir}}, "filesystem__read_text_file", map[string]any{"path": filepath.Join(dir, "hello.txt")}, "hello from a file"},
		{"memory", two, client.Config{Path: servertest.Memory(), Name: "memory", Env: []string{"MEMORY_FILE_PATH=" + filepath.Join(dir, "m.jsonl")}, Grant: sandbox.Grant{Write: []string{dir}}}, "memory__read_graph", nil, "{\n  \"entities\": [],\n  \"relations\": []\n}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{Env: tt.env})
			id := connect(t, h, tt.config)
			if s := h.Snapshot(); len(s.Servers) != 1 || s.Servers[0].Status != client.Connected || len(s.Servers[0].Tools) == 0 {
				t.Fatalf("snapshot %+v", s)
			}
			r, err := h.Call(t.Context(), tt.tool, tt.args, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := said(t, r); got != tt.want {
				t.Errorf("%s said %q, want %q", tt.tool, got, tt.want)
			}
			if err := h.Disconnect(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if s := h.Snapshot(); len(s.Servers) != 0 || s.Tools() != 0 {
				t.Errorf("after disconnecting: %+v", s)
			}
		})
	}
}

// Rows 1 to 5 of the seed's table, in its words, before anything is spawned
// where that is promised.
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
		{"extension before existence", client.Config{Path: "/no/such/server.rb"}, client.ErrExtension, "Invalid server script type. Must be .py or .js", false},
		{"case counts", client.Config{Path: "/no/such/server.PY"}, client.ErrExtension, "Invalid server script type. Must be .py or .js", false},
		{"missing", client.Config{Path: missing}, client.ErrNotFound, "Server script not found: " + missing, false},
		{"crash", client.Config{Path: servertest.Script("raw.py"), Args: []string{"crash"}}, client.ErrStart, "Failed to start server: exit status 3: raw.py: no such module", true},
		{"hang", client.Config{Path: servertest.Script("raw.py"), Args: []string{"hang"}}, client.ErrConnectTimeout, "Connection timeout after 2 seconds", true},
		{"refuses", client.Config{Path: servertest.Script("raw.py"), Args: []string{"refuses"}}, client.ErrProtocol, "MCP protocol error: not today", true},
		{"circles", client.Config{Path: servertest.Script("raw.py"), Args: []string{"circles"}}, client.ErrProtocol, "MCP protocol error: the server's list of tools goes round in circles", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{Timeouts: client.Timeouts{Connect: 2 * time.Second}})
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

func TestSpawnFailure(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: []string{"PATH=" + t.TempDir()}})
	_, err := h.Connect(t.Context(), client.Config{Path: servertest.Script("dice.js")})
	if want := `Failed to start server: exec: "node": executable file not found in $PATH`; !errors.Is(err, client.ErrStart) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if !strings.Contains(wording.Advice(err), "Install") {
		t.Errorf("advice %q", wording.Advice(err))
	}
}

// Rows 6 to 9 of the seed's table.
func TestCallErrors(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t), Timeouts: client.Timeouts{Call: 700 * time.Millisecond}})
	dir := t.TempDir()
	mark := filepath.Join(dir, "mark")
	connect(t, h, client.Config{Path: servertest.Script("fast.py"), Grant: sandbox.Grant{Write: []string{dir}}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"rpcerror"}})

	_, err := h.Call(t.Context(), "fast__nope", nil, nil)
	if want := "Tool 'fast__nope' not found in any connected server"; !errors.Is(err, client.ErrToolNotFound) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}

	r, err := h.Call(t.Context(), "fast__fail", map[string]any{"why": "no ink"}, nil)
	if want := "Tool execution failed: Error executing tool fail: no ink"; !errors.Is(err, client.ErrTool) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if r == nil || !r.IsError {
		t.Errorf("the tool's own answer is lost: %+v", r)
	}

	_, err = h.Call(t.Context(), "raw__one", nil, nil)
	if want := "Tool execution failed: out of ink"; !errors.Is(err, client.ErrTool) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}

	_, err = h.Call(t.Context(), "fast__slow", map[string]any{"mark": mark}, nil)
	if want := "Tool execution timeout after 0.7 seconds"; !errors.Is(err, client.ErrCallTimeout) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	eventually(t, "the server cancels the call", func() bool { _, err := os.Stat(mark); return err == nil })

	_, err = h.Call(t.Context(), "fast__die", map[string]any{"code": 7}, nil)
	if want := "Server disconnected during execution"; !errors.Is(err, client.ErrDisconnected) || err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

// Requirement 3.7.
func TestUnexpectedExit(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t)})
	connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	connect(t, h, client.Config{Path: servertest.Script("raw.py")})
	before := h.Snapshot().Tools()
	_, _ = h.Call(t.Context(), "fast__die", map[string]any{"code": 7}, nil)
	for s := range h.Watch(t.Context()) {
		if s.Servers[0].Status != client.Failed || s.Servers[0].Err == nil {
			continue
		}
		if len(s.Servers[0].Tools) != 0 || s.Tools() != 2 || before <= 2 {
			t.Errorf("tools left: %d of %d", s.Tools(), before)
		}
		if want := "Server exited: exit status 7: fast.py: last words"; s.Servers[0].Err.Error() != want {
			t.Errorf("reason %q, want %q", s.Servers[0].Err, want)
		}
		if !slices.Contains(s.Servers[0].Stderr, "fast.py: last words") {
			t.Errorf("stderr on the card: %q", s.Servers[0].Stderr)
		}
		break
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}

func TestUnrulyServers(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"chatty", "silent", "exits", "stderr"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			h := host(t, client.Options{})
			connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{mode}})
			r, err := h.Call(t.Context(), "raw__one", nil, nil)
			if err != nil || said(t, r) != "done" {
				t.Errorf("%v %v", r, err)
			}
		})
	}
}

func TestDuplicateToolsAreParked(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"duplicates"}})
	s := h.Snapshot().Servers[0]
	if len(s.Tools) != 2 || len(s.Parked) != 3 {
		t.Errorf("%d tools, %d parked", len(s.Tools), len(s.Parked))
	}
	if _, err := h.Call(t.Context(), "raw__one", nil, nil); !errors.Is(err, client.ErrToolNotFound) {
		t.Errorf("calling a parked tool: %v", err)
	}
}

// A server that heeds neither the end of its input nor SIGTERM, and one that
// leaves a child: both are gone, with all that they started.
func TestCloseLeavesNothing(t *testing.T) {
	t.Parallel()
	pidFile := filepath.Join(t.TempDir(), "pid")
	h := client.New(client.Options{Env: servertest.Environ(t)}) // and without a keeper
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"deaf"}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"child", pidFile}, Grant: sandbox.Grant{Write: []string{filepath.Dir(pidFile)}}})
	h.Close()
	data, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := strconv.Atoi(string(data))
	eventually(t, "the grandchild is gone", func() bool { return gone(pid) })
	if _, err := h.Connect(t.Context(), client.Config{Path: servertest.Script("raw.py")}); err == nil {
		t.Error("a closed host connects")
	}
}

// gone reports whether a process has ended, reaped or not.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

// A call to a server that never reads comes back in time, and so does Close.
func TestServerThatNeverReads(t *testing.T) {
	t.Parallel()
	const limit = 3 * time.Second
	h := host(t, client.Options{Timeouts: client.Timeouts{Call: limit}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Args: []string{"unread"}})
	connect(t, h, client.Config{Path: servertest.Script("raw.py"), Name: "other"})
	args := map[string]any{"pad": strings.Repeat("x", 4<<20)} // more than a pipe takes
	for range 2 {
		began := time.Now()
		_, err := h.Call(t.Context(), "raw__one", args, nil)
		if !errors.Is(err, client.ErrCallTimeout) {
			t.Errorf("a call that nobody reads ends with %v", err)
		}
		if took := time.Since(began); late(took, limit) {
			t.Errorf("it took %v", took)
		}
		if _, err := h.Call(t.Context(), "other__one", nil, nil); err != nil {
			t.Errorf("another server's call ends with %v", err)
		}
	}
	began := time.Now()
	h.Close()
	if took := time.Since(began); late(took, 2200*time.Millisecond) {
		t.Errorf("closing took %v", took)
	}
}

// No variable but the listed reaches a server, and above all no key.
func TestEnvironment(t *testing.T) {
	t.Setenv("GEMINI_API_KEY", "canary-1")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary-2")
	h := host(t, client.Options{Env: servertest.EnvironV1(t)})
	connect(t, h, client.Config{Path: servertest.Script("fast.py"), Env: []string{"MINE=yes"}})
	r, err := h.Call(t.Context(), "fast__environment", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	env := said(t, r)
	if strings.Contains(env, "canary") || !strings.Contains(env, `"MINE": "yes"`) || !strings.Contains(env, `"PATH"`) {
		t.Errorf("environment of a server: %s", env)
	}
}

func TestListChanged(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t)})
	connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	if _, err := h.Call(t.Context(), "fast__grow", map[string]any{"name": "sprout"}, nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the new tool is in the registry", func() bool { return len(h.Named("sprout")) == 1 })
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}

func TestElicitation(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{
		Env:      servertest.EnvironV1(t),
		Timeouts: client.Timeouts{Call: 500 * time.Millisecond},
		Elicit: func(_ context.Context, server string, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			if server != "fast" || p.Message != "What is your favourite colour?" {
				t.Errorf("%s asks %q", server, p.Message)
			}
			time.Sleep(time.Second) // longer than a call may take: a person thinks
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"colour": "sage"}}, nil
		},
	})
	connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	r, err := h.Call(t.Context(), "fast__ask", nil, nil)
	if err != nil || said(t, r) != "accept sage" {
		t.Errorf("%v %v", r, err)
	}
}

// Disconnecting while a call runs ends the call with its sentence, at once.
func TestDisconnectDuringCall(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Env: servertest.EnvironV1(t)})
	id := connect(t, h, client.Config{Path: servertest.Script("fast.py")})
	failed := make(chan error, 1)
	go func() {
		_, err := h.Call(context.Background(), "fast__slow", map[string]any{"mark": filepath.Join(t.TempDir(), "m")}, nil)
		failed <- err
	}()
	time.Sleep(200 * time.Millisecond)
	if err := h.Disconnect(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("the call ended with %v", err)
	}
}

// A call that is given up does no harm to the next.
func TestCancelledCallsLeaveTheSession(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, client.Config{Path: servertest.Script("raw.py")})
	for i := range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		_, _ = h.Call(ctx, "raw__one", nil, nil)
		cancel()
		if _, err := h.Call(t.Context(), "raw__two", nil, nil); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
}

// A start that was given up before it began is no connection.
func TestConnectGivenUp(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Connect(ctx, misbehave(t, "plain")); !errors.Is(err, context.Canceled) || len(h.Snapshot().Servers) != 0 {
		t.Errorf("%v, %+v", err, h.Snapshot())
	}
}

func TestConnectCancelled(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err := h.Connect(ctx, client.Config{Path: servertest.Script("raw.py"), Args: []string{"hang"}})
	if !errors.Is(err, context.Canceled) || len(h.Snapshot().Servers) != 0 {
		t.Errorf("%v, %+v", err, h.Snapshot())
	}
}

// A disconnection that is not waited for goes on, and the server leaves the list:
// one that takes its time to end, and one that has ended.
func TestDisconnectGivenUp(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	slow := connect(t, h, misbehave(t, "deaf"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Disconnect(ctx, slow); !errors.Is(err, context.Canceled) {
		t.Errorf("it says %v", err)
	}
	eventually(t, "the slow one leaves", func() bool { return len(h.Snapshot().Servers) == 0 })
	for range 10 {
		_, _ = h.Connect(t.Context(), misbehave(t, "exit1"))
		if err := h.Disconnect(ctx, "m"); err != nil || len(h.Snapshot().Servers) != 0 {
			t.Fatalf("of one that has ended it says %v", err)
		}
	}
}

// A server that failed gives way to an attempt at the same, and to no other that
// runs the same script.
func TestConnectTakesThePlaceOfTheSame(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	c := misbehave(t, "exit1")
	home, there, named := c, c, c
	home.Env, there.Dir, named.Name = []string{"TOKEN=b"}, t.TempDir(), "home"
	for range 2 {
		for _, c := range []client.Config{c, home, there, named} {
			if _, err := h.Connect(t.Context(), c); !errors.Is(err, client.ErrStart) {
				t.Fatal(err)
			}
		}
		if s := h.Snapshot().Servers; len(s) != 4 {
			t.Errorf("%d servers are listed, not 4", len(s))
		}
	}
}

func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// soak is how often something is done: as the variable says, or a few times.
func soak(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}
