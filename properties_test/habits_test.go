package properties_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every package has a doc comment, no package but the program runs code when it is
// imported, and only the program uses the standard logger.
func TestSourceHabits(t *testing.T) {
	for _, line := range list(t, "ci", `{{.ImportPath}} {{.Dir}}`) {
		pkg, dir, _ := strings.Cut(line, " ")
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		if len(files) == 0 {
			continue // only tests
		}
		documented, compiled := false, 0
		for _, path := range files {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			documented = documented || strings.TrimSpace(f.Doc.Text()) != ""
			compiled += expressions(f)
			for _, habit := range habits(pkg, f) {
				t.Errorf("%s: %s", path, habit)
			}
		}
		if compiled > 12 { // of all that have more, each process compiled them for 10 ms
			t.Errorf("package %s compiles %d regular expressions before main; use internal/lazyregexp", pkg, compiled)
		}
		if !documented {
			t.Errorf("package %s has no doc comment", pkg)
		}
	}
}

// habits lists the bad habits of one file. Generated code has none: protobuf registers
// messages in init functions, which takes 0.4 ms for all of the desktop's.
func habits(pkg string, f *ast.File) (bad []string) {
	if ast.IsGenerated(f) {
		return nil
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && !strings.HasPrefix(pkg, "goated/cmd/") {
			bad = append(bad, "has an init function")
		}
	}
	for _, i := range f.Imports {
		if i.Path.Value == `"log"` && pkg != "goated/cmd/goated" {
			bad = append(bad, "imports log")
		}
	}
	return bad
}

// expressions counts the regular expressions that package variables of a file compile.
func expressions(f *ast.File) (n int) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		ast.Inspect(g, func(node ast.Node) bool {
			if _, later := node.(*ast.FuncLit); later {
				return false
			}
			if sel, ok := node.(*ast.SelectorExpr); ok && sel.Sel.Name == "MustCompile" {
				n++
			}
			return true
		})
	}
	return n
}

func TestSourceHabitsAreFound(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nimport \"log\"\nvar a, b = regexp.MustCompile(`x`), func() { regexp.MustCompile(`y`) }\nfunc init() { log.Println() }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := expressions(f); n != 1 {
		t.Errorf("found %d expressions", n)
	}
	if got := habits("goated/client", f); len(got) != 2 {
		t.Errorf("found %q", got)
	}
	if got := habits("goated/cmd/goated", f); len(got) != 0 {
		t.Errorf("found %q in the program", got)
	}
}
