package llmem

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// realFiles copies up to n source files of real trees below dir: the Go standard library,
// Python's and the packages of the test tools.
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

// The speed goals of LLMem on a workspace of 10,000 real files, as one run:
//
//	first: the first map of a workspace that no one has parsed
//	find: the first find_symbol of such a workspace, complete for its name
//	full: until all files are parsed
//	unchanged, restarted: a map of an unchanged workspace, in the same and in a new process
//	change: get_artifact after one file changed
//	MiB: the largest heap in use
func BenchmarkWorkspace(b *testing.B) {
	// The garbage collector is set as in the program (servers.Run), or the heap is not the server's.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	dir, data := b.TempDir(), b.TempDir()
	bytes := realFiles(b, dir, 10_000)
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(data, "llmem")); err != nil {
			b.Fatal(err)
		}
		var most uint64
		heap := func() {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse+m.StackInuse)
		}
		session := benchSession(b, dir, data)
		call := func(tool string, args map[string]any) (time.Duration, coverage) {
			began := time.Now()
			res, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
			took := time.Since(began)
			if err != nil || res.IsError {
				b.Fatalf("%s: %v, %v", tool, err, res)
			}
			raw, err := json.Marshal(res.StructuredContent)
			if err != nil {
				b.Fatal(err)
			}
			var a answer
			if err := json.Unmarshal(raw, &a); err != nil {
				b.Fatal(err)
			}
			heap()
			return took, a.Data.Coverage
		}
		began := time.Now()
		first, cover := call("map_workspace", nil)
		find, _ := call("find_symbol", map[string]any{"name": "TextWrapper"})
		for cover.Pending > 0 {
			_, cover = call("map_workspace", nil)
		}
		full := time.Since(began)
		unchanged, _ := call("map_workspace", nil)
		if err := os.WriteFile(filepath.Join(dir, "changed.go"), []byte("package changed\n\nfunc Changed() {}\n"), 0o600); err != nil {
			b.Fatal(err)
		}
		change, _ := call("find_symbol", map[string]any{"name": "Changed"})
		_ = session.Close()
		again := benchSession(b, dir, data)
		session = again
		restarted, _ := call("map_workspace", nil)
		_ = session.Close()
		b.ReportMetric(float64(bytes)/1e6, "MB")
		b.ReportMetric(float64(first.Milliseconds()), "first-ms")
		b.ReportMetric(float64(find.Milliseconds()), "find-ms")
		b.ReportMetric(full.Seconds(), "full-s")
		b.ReportMetric(float64(unchanged.Milliseconds()), "unchanged-ms")
		b.ReportMetric(float64(change.Milliseconds()), "change-ms")
		b.ReportMetric(float64(restarted.Milliseconds()), "restarted-ms")
		b.ReportMetric(float64(most>>20), "MiB")
		b.ReportMetric(float64(len(cover.Skipped)+cover.More), "skipped")
	}
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

// BenchmarkChange changes one file of a workspace of 10,000 files in 500 folders, and asks
// for its outline, for the place of a new symbol, and for the map, in turns. The goal is
// 50 ms each.
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
	session := benchSession(b, dir, data)
	call := func(tool string, args map[string]any) (time.Duration, string) {
		began := time.Now()
		res, err := session.CallTool(b.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		took := time.Since(began)
		if err != nil || res.IsError {
			b.Fatalf("%s: %v, %v", tool, err, res)
		}
		return took, res.Content[0].(*mcp.TextContent).Text
	}
	call("find_symbol", map[string]any{"name": "Do1"})
	for pending := true; pending; {
		_, text := call("map_workspace", nil)
		pending = !strings.Contains(text, `"pending":0`) && strings.Contains(text, `"pending"`)
	}
	var sums [3]time.Duration
	n := 0
	for b.Loop() {
		n++
		for i, ask := range []struct {
			tool string
			args map[string]any
		}{{"get_artifact", map[string]any{"path": "part7/folder3/file1466.go"}}, {"find_symbol", map[string]any{"name": fmt.Sprint("Fresh", n, "x", 1)}}, {"map_workspace", map[string]any{"query": fmt.Sprint("Fresh", n, "x", 2)}}} {
			name := fmt.Sprint("Fresh", n, "x", i)
			text := fmt.Sprintf("package folder\n\nfunc %s() {}\n", name)
			if err := os.WriteFile(filepath.Join(dir, "part7", "folder3", "file1466.go"), []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			took, answer := call(ask.tool, ask.args)
			if !strings.Contains(answer, name) {
				b.Fatalf("%s does not see %s: %s", ask.tool, name, answer)
			}
			sums[i] += took
		}
	}
	for i, name := range []string{"outline-ms", "find-ms", "map-ms"} {
		b.ReportMetric(float64(sums[i].Microseconds())/1000/float64(n), name)
	}
}
