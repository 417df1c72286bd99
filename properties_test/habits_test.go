package properties_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Every package has a doc comment. Only the program runs code at its initialization and uses the
// standard logger. Errors on the screen are in plain words.
func TestSourceHabits(t *testing.T) {
	for _, line := range list(t, "ci", `{{.ImportPath}} {{.Dir}}`) {
		pkg, dir, _ := strings.Cut(line, " ")
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		if len(files) == 0 {
			continue // has only tests
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
		if compiled > 0 { // all of them together took 10 ms in each process, including each bundled server
			t.Errorf("package %s compiles %d regular expressions before main; use internal/lazyregexp", pkg, compiled)
		}
		if !documented {
			t.Errorf("package %s has no doc comment", pkg)
		}
	}
}

// habits lists the bad habits in one file. It skips generated code: protobuf registers messages in
// init functions, which takes 0.4 ms for all of the desktop's.
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
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && calls(call, "Sentence") && len(call.Args) == 1 {
			if of, ok := call.Args[0].(*ast.CallExpr); ok && calls(of, "Error") {
				bad = append(bad, "shows the words of Go and the system; use errtext.PlainSentence")
			}
		}
		return true
	})
	return bad
}

// calls reports whether a call is of the form x.name.
func calls(call *ast.CallExpr, name string) bool {
	of, ok := call.Fun.(*ast.SelectorExpr)
	return ok && of.Sel.Name == name
}

// The doc comment of a function, a method or a type begins with its name, even in tests. The
// comments of functions that "go test" runs describe the expected behaviour instead.
func TestCommentsBeginWithTheName(t *testing.T) {
	for _, line := range list(t, "ci", `{{.ImportPath}} {{.Dir}}`) {
		_, dir, _ := strings.Cut(line, " ")
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if ast.IsGenerated(f) {
				continue
			}
			for _, name := range misnamed(f, strings.HasSuffix(path, "_test.go")) {
				t.Errorf("%s: the comment of %s begins with another word", path, name)
			}
		}
	}
}

// misnamed lists the functions, methods and types in a file whose doc comment does not begin with
// their name, with or without an article.
func misnamed(f *ast.File, tests bool) (names []string) {
	check := func(doc *ast.CommentGroup, name string) {
		text := strings.TrimSpace(doc.Text())
		for _, article := range []string{"A ", "An ", "The "} {
			if rest, ok := strings.CutPrefix(text, article); ok && name+" " != article {
				text = rest
				break
			}
		}
		rest, ok := strings.CutPrefix(text, name)
		if next, _ := utf8.DecodeRuneInString(rest); text != "" && (!ok || unicode.IsLetter(next) || unicode.IsDigit(next) || next == '_') {
			names = append(names, name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if name := d.Name.Name; !tests || d.Recv != nil || !goTestRuns(name) {
				check(d.Doc, name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok && s.Doc != nil {
					check(s.Doc, s.Name.Name)
				} else if ok && !d.Lparen.IsValid() {
					check(d.Doc, s.Name.Name)
				}
			}
		}
	}
	return names
}

// goTestRuns reports whether "go test" runs a function with that name.
func goTestRuns(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Fuzz", "Benchmark", "Example"}, func(kind string) bool { return strings.HasPrefix(name, kind) })
}

func TestWrongCommentsAreFound(t *testing.T) {
	const source = `package x

// A declared tool.
type declared struct{}

// A language says.
type spec struct{}

type (
	// Kinds are several.
	Kind int
	// A Word is one.
	Word string
)

// A returns a.
func A() {}

// builtins returns nothing.
func (s *spec) builtin() {}

// last is another.
func lastOne() {}

// What holds.
func TestX() {}

func bare() {}
`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := misnamed(f, true), []string{"spec", "Kind", "builtin", "lastOne"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := misnamed(f, false); !slices.Contains(got, "TestX") {
		t.Errorf("found %q in a file without tests", got)
	}
}

// expressions counts the regular expressions that a file's package variables compile.
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
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nimport \"log\"\nvar a, b = regexp.MustCompile(`x`), func() { regexp.MustCompile(`y`) }\nfunc init() { log.Println() }\nfunc c(err error) { view.Sentence(err.Error()); view.Sentence(`x`) }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := expressions(f); n != 1 {
		t.Errorf("found %d expressions", n)
	}
	if got := habits("goated/client", f); len(got) != 3 {
		t.Errorf("found %q", got)
	}
	if got := habits("goated/cmd/goated", f); len(got) != 1 {
		t.Errorf("found %q in the program", got)
	}
}
