package outline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/servertest"
)

// wantShare is the minimum share of a compiler's definitions that an outline must contain with the
// same name and lines.
const wantShare = 0.995

// Each language's own parser is the reference: the outline has the same definitions on exactly the
// same lines. By default, the tests use a sample. GOATED_OUTLINE=all uses whole trees.
func TestDefinitionsMatchPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	lib, err := exec.Command(python, "-c", "import os, ast; print(os.path.dirname(ast.__file__))").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := sources(t, strings.TrimSpace(string(lib)), 25, ".py")
	cmd := exec.Command(python, filepath.Join("testdata", "oracle.py"))
	compare(t, cmd, files, []string{Function, Method, Class})
}

func TestDefinitionsMatchTypeScript(t *testing.T) {
	path, modules := servertest.Programs(t)
	if _, err := os.Stat(filepath.Join(modules, "typescript")); err != nil {
		t.Fatal("the TypeScript compiler is missing: run \"make tools\" once")
	}
	for _, ext := range [][]string{{".ts", ".mts", ".cts", ".tsx"}, {".js", ".mjs", ".cjs", ".jsx"}} {
		t.Run(ext[0][1:], func(t *testing.T) {
			files := sources(t, modules, 40, ext...)
			for _, sample := range []string{"App.tsx", "App.jsx"} { // packages hold no JSX
				if slices.Contains(ext, filepath.Ext(sample)) {
					files = append(files, filepath.Join("testdata", "samples", sample))
				}
			}
			cmd := exec.Command(filepath.Join(filepath.SplitList(path)[1], "node"), filepath.Join("testdata", "oracle.cjs"))
			cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
			compare(t, cmd, files, []string{Function, Method, Constructor, Class, Interface, Type, Enum})
		})
	}
}

// sources lists files below a folder: all with GOATED_OUTLINE=all, otherwise about n that are
// spread over the tree. It skips files that no one reads: tests with invalid syntax, minified files
// and files above the size limit.
func sources(t testing.TB, root string, n int, ext ...string) []string {
	t.Helper()
	var files []string
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains(ext, filepath.Ext(path)) || strings.Contains(path, ".min.") || strings.Contains(path, "bad_coding") {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Size() > 0 && info.Size() <= 512<<10 {
			files = append(files, path)
		}
		return nil
	})
	if os.Getenv("GOATED_OUTLINE") == "all" || len(files) <= n {
		return files
	}
	some := make([]string, 0, n)
	for i := range n {
		some = append(some, files[i*len(files)/n])
	}
	return some
}

type definition struct {
	name       string
	start, end int
}

func (d definition) String() string { return fmt.Sprintf("%s %d-%d", d.name, d.start, d.end) }

func compare(t *testing.T, oracle *exec.Cmd, files []string, kinds []string) {
	t.Helper()
	if len(files) < 20 {
		t.Fatalf("only %d files", len(files))
	}
	oracle.Stdin = strings.NewReader(strings.Join(files, "\n") + "\n")
	out, err := oracle.Output()
	if err != nil {
		var e *exec.ExitError
		if errors.As(err, &e) {
			t.Fatalf("%v: %s", err, e.Stderr)
		}
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(files) {
		t.Fatalf("%d answers for %d files", len(lines), len(files))
	}
	p := New(Options{CacheDir: servertest.Grammars(t), MaxTime: time.Minute}) // the machine may be busy
	defer p.Close()
	var mu sync.Mutex
	total, same, extra, read := 0, 0, 0, 0
	var examples, wrong []string
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				var want [][]any
				if err := json.Unmarshal([]byte(lines[i]), &want); err != nil {
					t.Error(err)
				}
				if lines[i] == "null" {
					continue
				}
				source, err := os.ReadFile(files[i])
				if err != nil {
					t.Error(err)
					continue
				}
				f, err := p.Parse(context.Background(), files[i], source)
				if err != nil {
					t.Errorf("%s: %v", files[i], err)
					continue
				}
				have := make(map[definition]int)
				for _, s := range f.Symbols {
					if slices.Contains(kinds, s.Kind) {
						have[definition{strings.TrimPrefix(s.Name, "#"), s.StartLine, s.EndLine}]++
					}
				}
				mu.Lock()
				read++
				for _, w := range want {
					optional := len(w) > 3
					if !optional {
						total++
					}
					d := definition{strings.TrimPrefix(w[0].(string), "#"), int(w[1].(float64)), int(w[2].(float64))}
					if have[d] > 0 {
						have[d]--
						if !optional {
							same++
						}
					} else if !optional && len(examples) < 40 {
						examples = append(examples, fmt.Sprintf("%s: %v", files[i], d))
					}
				}
				for d, n := range have {
					if extra += n; n > 0 && len(wrong) < 40 {
						wrong = append(wrong, fmt.Sprintf("%s: %v", files[i], d))
					}
				}
				mu.Unlock()
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	t.Logf("%d files, %d definitions, %.2f %% exact, %d more in the outlines", read, total, 100*float64(same)/float64(max(total, 1)), extra)
	if total < 100 || float64(same) < wantShare*float64(total) {
		t.Errorf("%d of %d definitions are exact. Missing:\n%s", same, total, strings.Join(examples, "\n"))
	}
	if float64(extra) > (1-wantShare)*float64(total) {
		t.Errorf("%d definitions of the outlines are false, of %d:\n%s", extra, total, strings.Join(wrong, "\n"))
	}
}

// "go doc" reads packages with go/doc. An outline contains everything that they export, with the
// signature of each function.
func TestDefinitionsMatchGoDoc(t *testing.T) {
	packages := []string{"strings", "net/http", "go/types", "container/heap", "encoding/json"}
	if os.Getenv("GOATED_OUTLINE") == "all" {
		packages = nil
		root := filepath.Join(goroot(t), "src")
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && !strings.Contains(path, "testdata") {
				rel, _ := filepath.Rel(root, path)
				packages = append(packages, rel)
			}
			return nil
		})
	}
	total, same := 0, 0
	var missing []string
	for _, pkg := range packages {
		dir := filepath.Join(goroot(t), "src", pkg)
		names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		fset := token.NewFileSet()
		byName := make(map[string][]*ast.File)
		have := make(map[string]bool)
		for _, name := range names {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := parser.ParseFile(fset, name, source, parser.ParseComments)
			if err != nil {
				continue
			}
			byName[tree.Name.Name] = append(byName[tree.Name.Name], tree)
			f, err := parseGo(source)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range f.Symbols {
				have[fmt.Sprintf("%s %s.%s %d-%d", filepath.Base(name), s.Parent, s.Name, s.StartLine, s.EndLine)] = true
			}
		}
		for _, files := range byName {
			d, err := doc.NewFromFiles(fset, files, pkg, doc.AllDecls|doc.PreserveAST)
			if err != nil {
				t.Fatal(err)
			}
			check := func(parent, name string, n ast.Node) {
				from, to := fset.Position(n.Pos()), fset.Position(n.End())
				key := fmt.Sprintf("%s %s.%s %d-%d", filepath.Base(from.Filename), parent, name, from.Line, to.Line)
				total++
				if have[key] {
					same++
				} else if len(missing) < 20 {
					missing = append(missing, pkg+"/"+key)
				}
			}
			for _, f := range d.Funcs {
				check("", f.Name, f.Decl)
			}
			for _, ty := range d.Types {
				if len(ty.Decl.Specs) == 1 && !ty.Decl.Lparen.IsValid() {
					check("", ty.Name, ty.Decl)
				}
				for _, f := range ty.Funcs {
					check("", f.Name, f.Decl)
				}
				for _, m := range ty.Methods {
					if m.Level == 0 { // declared here rather than embedded
						check(ty.Name, m.Name, m.Decl)
					}
				}
			}
		}
	}
	t.Logf("%d definitions, %.2f %% exact", total, 100*float64(same)/float64(max(total, 1)))
	if total < 500 || float64(same) < wantShare*float64(total) {
		t.Errorf("%d of %d definitions are exact. Missing:\n%s", same, total, strings.Join(missing, "\n"))
	}
}

// goroot returns the folder of the toolchain. runtime.GOROOT is empty with -trimpath.
func goroot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
