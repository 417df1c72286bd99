package llmem

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/servertest"
	"goated/servers/llmem/rank"
)

// A question about a code base has a set of places as its answer: files, or files with line numbers.
type question struct {
	kind string
	tool string // of LLMem
	args map[string]any
	grep string // what a user would search for with grep alone
	want map[string]bool
}

// questions builds questions about a Go tree from its syntax trees and comments.
func questions(t testing.TB, dir string, perKind int) []question {
	t.Helper()
	type place struct{ file, name, doc string }
	defs := make(map[string][]place) // by "file:line"
	byName := make(map[string]int)
	uses := make(map[string]map[string]bool) // files by identifier
	importers := make(map[string]map[string]bool)
	fset := token.NewFileSet()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		file, _ := filepath.Rel(dir, path)
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				byName[fn.Name.Name]++
				at := fmt.Sprintf("%s:%d", file, fset.PositionFor(fn.Pos(), false).Line)
				defs[at] = append(defs[at], place{file, fn.Name.Name, fn.Doc.Text()})
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if uses[id.Name] == nil {
					uses[id.Name] = make(map[string]bool)
				}
				uses[id.Name][file] = true
			}
			return true
		})
		for _, i := range f.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			if importers[p] == nil {
				importers[p] = make(map[string]bool)
			}
			importers[p][file] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(20, 26))
	places := slices.Sorted(maps.Keys(defs))
	r.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	count := make(map[string]int)
	var list []question
	add := func(q question) {
		if count[q.kind]++; count[q.kind] <= perKind {
			list = append(list, q)
		}
	}
	sentence := regexp.MustCompile(`(?s)^.*?[.;](\s|$)`)
	for _, at := range places {
		p := defs[at][0]
		if len(p.name) < 4 || strings.HasSuffix(p.file, "_test.go") || byName[p.name] > 1 {
			continue
		}
		add(question{"definition", "find_symbol", map[string]any{"name": p.name}, p.name, map[string]bool{at: true}})
		if n := len(uses[p.name]); n > 1 && n < 30 {
			add(question{"references", "find_symbol", map[string]any{"name": p.name, "references": true}, p.name, uses[p.name]})
		}
		doc := strings.Join(strings.Fields(sentence.FindString(p.doc)), " ")
		words := strings.Fields(strings.TrimPrefix(doc, p.name))
		if strings.HasPrefix(doc, p.name+" ") && len(words) >= 6 && !strings.Contains(strings.Join(words, " "), p.name) {
			longest := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
			add(question{"plain words", "map_workspace", map[string]any{"query": strings.Join(words, " ")}, strings.Trim(longest, ".,;:()\"'`"), map[string]bool{at: true}})
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(importers)) {
		if n := len(importers[pkg]); n < 2 || n > 30 || !strings.HasPrefix(pkg, "example.com/std/") {
			continue
		}
		folder := strings.TrimPrefix(pkg, "example.com/std/")
		files, _ := filepath.Glob(filepath.Join(dir, folder, "*.go"))
		for _, f := range files {
			if rel, _ := filepath.Rel(dir, f); !strings.HasSuffix(rel, "_test.go") {
				add(question{"importers", "get_artifact", map[string]any{"path": rel}, `"` + pkg + `"`, importers[pkg]})
				break
			}
		}
	}
	return list
}

// goTree copies packages of the standard library into a new module.
func goTree(t testing.TB, packages ...string) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	src, dir := filepath.Join(strings.TrimSpace(string(out)), "src"), t.TempDir()
	own := make(map[string]bool)
	for _, p := range packages {
		own[p] = true
	}
	imports := regexp.MustCompile(`"([a-z0-9/]+)"`)
	for _, p := range packages {
		files, _ := filepath.Glob(filepath.Join(src, p, "*.go"))
		if err := os.MkdirAll(filepath.Join(dir, p), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			data = imports.ReplaceAllFunc(data, func(b []byte) []byte { // imports within the module
				if p := string(b[1 : len(b)-1]); own[p] {
					return []byte(`"example.com/std/` + p + `"`)
				}
				return b
			})
			if err := os.WriteFile(filepath.Join(dir, p, filepath.Base(f)), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/std\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// f1 is the harmonic mean of precision and recall.
func f1(have, want map[string]bool) float64 {
	hits := 0
	for p := range have {
		if want[p] {
			hits++
		}
	}
	if hits == 0 {
		return 0
	}
	return 2 * float64(hits) / float64(len(have)+len(want))
}

var mapLine = regexp.MustCompile(`(?m)^(\S.*):$|^  (\d+)`)

// places returns the places in LLMem's answer.
func (a answer) places(t testing.TB, kind string) map[string]bool {
	have := make(map[string]bool)
	switch kind {
	case "definition":
		if a.Data.Match != "exact" {
			return have
		}
		for _, d := range a.definitions(t) {
			have[fmt.Sprintf("%s:%d", d.Path, d.StartLine)] = true
		}
	case "references":
		for _, u := range a.Data.References {
			have[u.Path] = true
		}
	case "importers":
		for _, p := range a.Data.UsedBy {
			have[p] = true
		}
	default:
		file := ""
		for _, m := range mapLine.FindAllStringSubmatch(a.Data.Map, -1) {
			if m[1] != "" {
				file = m[1]
			} else {
				have[file+":"+m[2]] = true
			}
		}
	}
	return have
}

// few are packages of the standard library for a test that takes one second.
var few = []string{"strings", "bytes", "bufio", "net/http", "net/url", "mime", "encoding/json", "text/template", "text/template/parse"}

// many is a larger code base.
var many = append(slices.Clone(few), "archive/tar", "archive/zip", "compress/flate", "crypto/tls", "crypto/x509", "database/sql", "encoding/asn1", "encoding/csv", "encoding/gob", "encoding/xml",
	"go/ast", "go/doc", "go/format", "go/parser", "go/printer", "go/scanner", "go/token", "go/types", "html/template", "image", "image/png", "io", "io/fs", "log/slog", "math/big",
	"mime/multipart", "net", "net/http/httputil", "net/http/httptest", "net/mail", "net/smtp", "net/textproto", "os", "os/exec", "path/filepath", "regexp", "regexp/syntax", "sort", "strconv", "sync", "testing", "time", "unicode/utf8")

// A score sums the results for some questions.
type score struct {
	n, tokens, grepTokens int
	f, grep               float64
}

// mean returns F1 and tokens per question, for LLMem and for grep.
func (s *score) mean() (f float64, tokens int, grep float64, grepTokens int) {
	n := float64(s.n)
	return s.f / n, s.tokens / s.n, s.grep / n, s.grepTokens / s.n
}

// ask asks LLMem and grep n questions of each kind about packages of the standard library. It
// returns the scores by kind, and under "all" the total.
func ask(t testing.TB, packages []string, n int) map[string]*score {
	t.Helper()
	dir := goTree(t, packages...)
	b := &bench{t: t, dir: dir, session: connect(t, Options{Root: dir, Data: servertest.LLMemData(t), Log: io.Discard})}
	scores := map[string]*score{"all": {}}
	for _, q := range questions(t, dir, n) {
		res, err := b.session.CallTool(t.Context(), &mcp.CallToolParams{Name: q.tool, Arguments: q.args})
		if err != nil || res.IsError {
			t.Fatalf("%s %v: %v %v", q.tool, q.args, err, res)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		have := decodeAnswer(t, text).places(t, q.kind)
		tokens := rank.Tokens(text)
		if q.kind == "importers" { // the answer is part of a longer one
			tokens = rank.Tokens(strings.Join(slices.Collect(maps.Keys(have)), "\n")) + 20
		}
		grepped, size := grep(dir, q)
		if scores[q.kind] == nil {
			scores[q.kind] = &score{}
		}
		for _, s := range []*score{scores[q.kind], scores["all"]} {
			s.n++
			s.f += f1(have, q.want)
			s.grep += f1(grepped, q.want)
			s.tokens += tokens
			s.grepTokens += size
		}
	}
	return scores
}

// For questions about real code, LLMem must reach an average F1 above 0.5 with at most 1,000 tokens
// on average, and be better than grep. GOATED_QUESTIONS sets the number of questions of each kind.
// The standard library is the code base.
func TestQuestions(t *testing.T) {
	packages, n := few, 12
	if s := os.Getenv("GOATED_QUESTIONS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
		packages = many
	}
	scores := ask(t, packages, n)
	for _, kind := range slices.Sorted(maps.Keys(scores)) {
		f, tokens, grep, grepTokens := scores[kind].mean()
		t.Logf("%-12s %3d questions: LLMem F1 %.2f with %4d tokens, grep F1 %.2f with %d tokens", kind, scores[kind].n, f, tokens, grep, grepTokens)
	}
	if f, tokens, grep, _ := scores["all"].mean(); f <= 0.5 || tokens > 1000 || f <= grep {
		t.Error("LLMem is below its goal")
	}
}

// BenchmarkQuestions asks 180 questions about real code. It prints F1 and tokens per question, and
// the same for naive grep.
func BenchmarkQuestions(b *testing.B) {
	for b.Loop() {
		scores := ask(b, many, 51)
		f, tokens, grep, grepTokens := scores["all"].mean()
		b.ReportMetric(float64(scores["all"].n), "questions")
		b.ReportMetric(f, "F1")
		b.ReportMetric(float64(tokens), "tokens")
		b.ReportMetric(grep, "grep-F1")
		b.ReportMetric(float64(grepTokens), "grep-tokens")
		if f <= 0.5 || tokens > 1000 || f <= grep {
			b.Error("LLMem is below its goal: F1 above 0.5 with at most 1,000 tokens")
		}
	}
}

// grep runs "grep -rnw". It returns the matching lines, or their files, and the number of tokens.
func grep(dir string, q question) (map[string]bool, int) {
	cmd := exec.Command("grep", "-rnwF", "--", q.grep, ".")
	cmd.Dir = dir
	out, _ := cmd.Output() // no match is an error
	have := make(map[string]bool)
	for line := range bytes.Lines(out) {
		parts := strings.SplitN(string(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		file := strings.TrimPrefix(parts[0], "./")
		if q.kind == "references" || q.kind == "importers" {
			have[file] = true
		} else {
			have[file+":"+parts[1]] = true
		}
	}
	return have, rank.Tokens(string(out))
}
