package llmem

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"goated/servers/llmem/workspace"
)

// After one change, a call may cost a few times as much as listing the files, but not as much as
// reading all files again. It parses one file, keeps the import graph, and writes no cache. The
// test compares memory instead of time, because memory is the same on a busy machine.
// BenchmarkChange measures the times.
func TestOneChangeCostsFewListings(t *testing.T) {
	const files = 2000
	all := make(map[string]string, files)
	for i := range files {
		all[fmt.Sprintf("part%d/file%d.go", i/50, i)] = fmt.Sprintf("package folder\n\nimport \"fmt\"\n\nfunc Do%d(n int) { fmt.Println(n, Do%d) }\n", i, (i*79)%files)
	}
	b := start(t, all)
	b.ok("find_symbol", map[string]any{"name": "nothing"}) // all files are read
	ws, err := workspace.Open(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	listing := leastMemory(func(int) {
		if list, _, err := ws.Files(t.Context()); err != nil || len(list) < files {
			t.Fatalf("%d files, %v", len(list), err)
		}
	})
	for _, ask := range []struct {
		tool, argument string
		most           float64 // listings
	}{{"get_artifact", "path", 1.8}, {"find_symbol", "name", 1.8}} {
		cost := leastMemory(func(i int) {
			name := fmt.Sprintf("Fresh%d", i)
			if err := os.WriteFile(filepath.Join(b.dir, "part7", "file351.go"), []byte("package folder\n\nfunc "+name+"() {}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			value := map[string]string{"path": "part7/file351.go", "name": name}[ask.argument]
			a := b.ok(ask.tool, map[string]any{ask.argument: value})
			if seen := len(a.Data.Symbols); seen != 1 && (ask.tool != "find_symbol" || len(a.definitions(t)) != 1) {
				t.Fatalf("%s does not see the change: %+v", ask.tool, a.Data)
			}
		})
		share := float64(cost) / float64(listing)
		t.Logf("%s: %.1f listings of %d KB", ask.tool, share, listing>>10)
		if share > ask.most {
			t.Errorf("after one change %s needs the memory of %.1f listings, want at most %.1f", ask.tool, share, ask.most)
		}
	}
}

// leastMemory returns the lowest number of bytes that f allocates in several runs, to exclude the
// occasional allocations of other goroutines.
func leastMemory(f func(round int)) uint64 {
	var all []uint64
	for i := range 6 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f(i)
		runtime.ReadMemStats(&after)
		all = append(all, after.TotalAlloc-before.TotalAlloc)
	}
	return slices.Min(all)
}
