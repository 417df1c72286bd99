package outline

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/servertest"
)

// noise is the share of a goal that must be reached even on a busy machine.
const noise = 0.8

// BenchmarkCold parses real files that were never parsed before, on all processors, like the
// server. It does the same with native tree-sitter in Node, and reports MB/s for both. It fails if
// it is slower than native tree-sitter, and for Go if it is not four times as fast. "make bench"
// installs tree-sitter. Without it, the benchmark only reports goated's figures.
func BenchmarkCold(b *testing.B) {
	path, modules := servertest.Programs(b)
	peers := filepath.Join(filepath.Dir(modules), "peers", "node_modules")
	if other := os.Getenv("GOATED_PEERS"); other != "" {
		peers = other
	}
	node := filepath.Join(filepath.SplitList(path)[1], "node")
	python, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		b.Skip("no python3")
	}
	for _, l := range []struct {
		language, root string
		ext            []string
		times          float64 // minimum, relative to native tree-sitter
	}{
		{"python", strings.TrimSpace(string(python)), []string{".py"}, 1},
		{"typescript", modules, []string{".ts", ".mts"}, 1},
		{"javascript", modules, []string{".js", ".mjs"}, 1},
		{"go", filepath.Join(goroot(b), "src"), []string{".go"}, 4},
	} {
		b.Run(l.language, func(b *testing.B) {
			files := sources(b, l.root, 400, l.ext...)
			texts := make([][]byte, len(files))
			size := 0.0
			for i, f := range files {
				if texts[i], err = os.ReadFile(f); err != nil {
					b.Fatal(err)
				}
				size += float64(len(texts[i])) / 1e6
			}
			for b.Loop() {
				p := New(Options{CacheDir: servertest.Grammars(b), MaxTime: time.Minute})
				if _, err := p.Parse(b.Context(), files[0], texts[0]); err != nil { // compiles the grammar
					b.Fatal(err)
				}
				own := size / p.all(b, files, texts).Seconds()
				if err := p.Close(); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(own, "MB/s")
				cmd := exec.Command(node, filepath.Join("testdata", "native.cjs"), l.language)
				cmd.Env = append(os.Environ(), "NODE_PATH="+peers)
				cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
				out, err := cmd.Output()
				if err != nil {
					b.Logf("no native tree-sitter in %s: %v", peers, err)
					continue
				}
				var took float64
				if _, err := fmt.Sscan(string(out), &took); err != nil {
					b.Fatalf("%v in %s", err, out)
				}
				native := size / took * 1000
				b.ReportMetric(native, "native-MB/s")
				if own < l.times*native*noise {
					b.Errorf("%s: %.1f MB/s, native tree-sitter has %.1f, the goal is %.0f times that", l.language, own, native, l.times)
				}
			}
		})
	}
}

// all parses files on all processors.
func (p *Parser) all(b *testing.B, files []string, texts [][]byte) time.Duration {
	began := time.Now()
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				if _, err := p.Parse(b.Context(), files[i], texts[i]); err != nil {
					b.Errorf("%s: %v", files[i], err)
				}
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	return time.Since(began)
}
