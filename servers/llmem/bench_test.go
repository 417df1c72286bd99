package llmem

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// realFiles copies up to n source files from real trees into dir: the Go and Python standard
// libraries, and the packages of the test tools.
func realFiles(b testing.TB, dir string, n int) (bytes int64) {
	b.Helper()
	var roots []string
	if out, err := exec.Command("go", "env", "GOROOT").Output(); err == nil {
		roots = append(roots, filepath.Join(strings.TrimSpace(string(out)), "src"))
	}
	if out, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output(); err == nil {
		roots = append(roots, strings.TrimSpace(string(out)))
	}
	roots = append(roots, filepath.Join("..", "..", ".tools", "node_modules"))
	for i, root := range roots {
		share := n * (i + 1) / len(roots)
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil
			case share <= 0:
				return fs.SkipAll
			case d.IsDir() && (d.Name() == "testdata" || d.Name() == "site-packages"):
				return fs.SkipDir
			}
			switch filepath.Ext(path) {
			case ".go", ".py", ".ts", ".js", ".mjs", ".c", ".h":
			default:
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			rel, _ := filepath.Rel(root, path)
			to := filepath.Join(dir, fmt.Sprintf("tree%d", i), strings.ReplaceAll(rel, "node_modules", "modules"))
			if os.MkdirAll(filepath.Dir(to), 0o700) == nil && os.WriteFile(to, data, 0o600) == nil {
				share--
				n--
				bytes += int64(len(data))
			}
			return nil
		})
	}
	return bytes
}

// A goal is the maximum of a figure.
type goal struct {
	name string
	most float64
}

// LLMem's goals for a workspace of 10,000 files.
var (
	firstGoal     = goal{"first-ms", 1000}    // the first map of a workspace that was never parsed
	unchangedGoal = goal{"unchanged-ms", 100} // a map of an unchanged workspace
	changeGoal    = 50.0                      // any answer after one file changed
	memoryGoal    = goal{"MB", 300}           // of the whole process
)

// reach reports a figure and fails if it misses its goal.
func reach(b *testing.B, g goal, value float64) {
	b.Helper()
	b.ReportMetric(value, g.name)
	if value > g.most {
		b.Errorf("%s is %.1f, the goal is %.0f", g.name, value, g.most)
	}
}

// A client measures tool calls.
type client struct {
	b       *testing.B
	session *mcp.ClientSession
}

func (c client) call(tool string, args map[string]any) (took time.Duration, a answer, text string) {
	c.b.Helper()
	began := time.Now()
	res, err := c.session.CallTool(c.b.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	took = time.Since(began)
	if err != nil || res.IsError {
		c.b.Fatalf("%s: %v, %v", tool, err, res)
	}
	text = res.Content[0].(*mcp.TextContent).Text
	return took, decodeAnswer(c.b, text), text
}

// least returns the best time of several calls in milliseconds, because other programs share the
// processors.
func least(rounds int, call func(round int) time.Duration) float64 {
	best := call(0)
	for i := 1; i < rounds; i++ {
		best = min(best, call(i))
	}
	return float64(best.Microseconds()) / 1000
}

// changes modifies one file before each call. The calls ask for its outline, the place of a new
// symbol, and the map.
func (c client) changes(dir string) {
	name := filepath.Join("part7", "folder3", "file1466.go")
	if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
		c.b.Fatal(err)
	}
	fresh := 0
	for _, ask := range []struct {
		figure, tool string
		args         func(symbol string) map[string]any
	}{
		{"outline-ms", "get_artifact", func(string) map[string]any { return map[string]any{"path": filepath.ToSlash(name)} }},
		{"find-ms", "find_symbol", func(s string) map[string]any { return map[string]any{"name": s} }},
		{"map-ms", "map_workspace", func(s string) map[string]any { return map[string]any{"focusOn": []string{s}} }},
		{"query-ms", "map_workspace", func(s string) map[string]any { return map[string]any{"query": s} }},
	} {
		reach(c.b, goal{ask.figure, changeGoal}, least(15, func(int) time.Duration {
			fresh++
			symbol := fmt.Sprintf("Fresh%dx", fresh)
			if err := os.WriteFile(filepath.Join(dir, name), []byte("package folder\n\nfunc "+symbol+"() {}\n"), 0o600); err != nil {
				c.b.Fatal(err)
			}
			took, _, text := c.call(ask.tool, ask.args(symbol))
			if !strings.Contains(text, symbol) {
				c.b.Fatalf("%s does not see %s: %s", ask.tool, symbol, text)
			}
			return took
		}))
	}
}

// BenchmarkWorkspace runs on 10,000 real files, and fails if it misses a goal:
//
//	first: the first map of a workspace that was never parsed
//	named: the first find_symbol of such a workspace, complete for its name
//	full: until all files are parsed
//	unchanged, restarted: a map of an unchanged workspace, in the same and in a new process
//	outline, find, map, query: get_artifact, find_symbol and map_workspace after one change
//	MB: the peak memory of the process
func BenchmarkWorkspace(b *testing.B) {
	// The garbage collector is configured like in the program (servers.Run). Otherwise the memory
	// would not be the server's.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	dir, data := b.TempDir(), b.TempDir()
	bytes := realFiles(b, dir, 10_000)
	debug.FreeOSMemory()                                                          // frees the memory of the copy
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // resets the peak
		b.Log(err)
	}
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(data, "llmem")); err != nil {
			b.Fatal(err)
		}
		c := client{b, benchSession(b, dir, data)}
		began := time.Now()
		first, a, _ := c.call("map_workspace", nil)
		named, _, _ := c.call("find_symbol", map[string]any{"name": "TextWrapper"})
		for a.Data.Coverage.Pending > 0 {
			_, a, _ = c.call("map_workspace", nil)
		}
		full := time.Since(began)
		reach(b, firstGoal, float64(first.Milliseconds()))
		reach(b, unchangedGoal, least(5, func(int) time.Duration { took, _, _ := c.call("map_workspace", nil); return took }))
		c.changes(dir)
		reach(b, memoryGoal, mostMemory(b))
		_ = c.session.Close()
		again := client{b, benchSession(b, dir, data)}
		restarted, _, _ := again.call("map_workspace", nil)
		_ = again.session.Close()
		b.ReportMetric(float64(bytes)/1e6, "source-MB")
		b.ReportMetric(float64(named.Milliseconds()), "named-ms")
		b.ReportMetric(full.Seconds(), "full-s")
		b.ReportMetric(float64(restarted.Milliseconds()), "restarted-ms")
		b.ReportMetric(float64(len(a.Data.Coverage.Skipped)+a.Data.Coverage.More), "skipped")
	}
}

// mostMemory returns the process's peak memory so far, in MB.
func mostMemory(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("this system does not say how much memory a process has")
	}
	var kib float64
	if _, line, ok := strings.Cut(string(status), "VmHWM:"); ok {
		_, _ = fmt.Sscan(line, &kib)
	}
	if kib == 0 {
		b.Fatalf("no VmHWM in %s", status)
	}
	return kib * 1024 / 1e6
}

func benchSession(b *testing.B, dir, data string) *mcp.ClientSession {
	b.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = New(Options{Root: dir, Data: data, Log: io.Discard}).Run(b.Context(), theirs) // ends with the session
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "bench"}, nil).Connect(b.Context(), ours, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = session.Close(); <-done })
	return session
}

// BenchmarkChange modifies one file in a workspace of 10,000 small files in 500 folders. It fails
// if an answer takes longer than the goal.
func BenchmarkChange(b *testing.B) {
	dir, data := b.TempDir(), b.TempDir()
	for i := range 10_000 {
		name := filepath.Join(dir, fmt.Sprintf("part%d", i/200), fmt.Sprintf("folder%d", i/20%10), fmt.Sprintf("file%d.go", i))
		text := fmt.Sprintf("package folder\n\nimport \"fmt\"\n\n// Do%d prints.\nfunc Do%d(n int) { fmt.Println(n, Do%d) }\n\ntype T%d struct{ a, b int }\n", i, i, (i*7919)%10_000, i)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	c := client{b, benchSession(b, dir, data)}
	for pending := 1; pending > 0; {
		_, a, _ := c.call("map_workspace", nil)
		pending = a.Data.Coverage.Pending
	}
	for b.Loop() {
		c.changes(dir)
	}
}
