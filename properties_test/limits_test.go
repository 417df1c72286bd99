package properties_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The limits keep packages, files and types small enough to read in one go. Tests do not count
// towards a package's lines and files, but each test file has the limit for files. Generated files
// have no limits, because nobody reads or edits them.
const (
	maxPackageLines = 5000
	maxPackageFiles = 45
	maxFileLines    = 400
	maxFields       = 15
	maxMethods      = 30
)

// exceeding lists the types that exceed a limit, each with a reason. An entry that is no longer
// needed fails the test.
var exceeding = map[string]string{
	"internal/geminitest.generationConfig": "it has the fields of the wire's GenerationConfig",
	"internal/geminitest.part":             "it has the fields of the wire's Part",
	"internal/geminitest.schema":           "it has the fields of the wire's Schema",
}

// A tree holds the sizes of source code, which oversized checks.
type tree struct {
	lines   map[string]int             // by file
	fields  map[string]int             // by "package.Type"
	methods map[string]map[string]bool // names by "package.Type", so that methods for several systems count once
}

// readTree parses all Go files below root, except in testdata and in folders whose name begins with
// a dot.
func readTree(root string) (*tree, error) {
	t := &tree{make(map[string]int), make(map[string]int), make(map[string]map[string]bool)}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return t.add(filepath.ToSlash(rel), src)
	})
	return t, err
}

// add adds the sizes of one file.
func (t *tree) add(path string, src []byte) error {
	if strings.HasSuffix(path, "_test.go") && !bytes.Contains(src, []byte("// Code generated ")) {
		t.lines[path] = bytes.Count(src, []byte("\n")) // nothing else counts there
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	if ast.IsGenerated(f) {
		return nil
	}
	t.lines[path] = bytes.Count(src, []byte("\n"))
	if strings.HasSuffix(path, "_test.go") {
		return nil
	}
	pkg := filepath.ToSlash(filepath.Dir(path))
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				continue
			}
			name := pkg + "." + receiver(d.Recv.List[0].Type)
			if t.methods[name] == nil {
				t.methods[name] = make(map[string]bool)
			}
			t.methods[name][d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if ts, ok := s.(*ast.TypeSpec); ok {
					if st, ok := ts.Type.(*ast.StructType); ok {
						t.fields[pkg+"."+ts.Name.Name] = st.Fields.NumFields()
					}
				}
			}
		}
	}
	return nil
}

// receiver returns the name of a receiver's type, without pointer and type parameters.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// oversized lists everything that exceeds a limit.
func (t *tree) oversized() (found []string) {
	lines, files := make(map[string]int), make(map[string]int)
	for path, n := range t.lines {
		if n > maxFileLines {
			found = append(found, fmt.Sprintf("%s has %d lines, more than %d", path, n, maxFileLines))
		}
		if !strings.HasSuffix(path, "_test.go") {
			pkg := filepath.ToSlash(filepath.Dir(path))
			lines[pkg] += n
			files[pkg]++
		}
	}
	for pkg, n := range lines {
		if n > maxPackageLines {
			found = append(found, fmt.Sprintf("package %s has %d lines, more than %d", pkg, n, maxPackageLines))
		}
		if files[pkg] > maxPackageFiles {
			found = append(found, fmt.Sprintf("package %s has %d files, more than %d", pkg, files[pkg], maxPackageFiles))
		}
	}
	for name, n := range t.fields {
		if n > maxFields {
			found = append(found, fmt.Sprintf("type %s has %d fields, more than %d", name, n, maxFields))
		}
	}
	for name, all := range t.methods {
		if len(all) > maxMethods {
			found = append(found, fmt.Sprintf("type %s has %d methods, more than %d", name, len(all), maxMethods))
		}
	}
	slices.Sort(found)
	return found
}

func TestLimits(t *testing.T) {
	all, err := readTree("..")
	if err != nil {
		t.Fatal(err)
	}
	if len(all.lines) < 100 || all.fields["client.Host"] == 0 {
		t.Fatalf("read %d files, and client.Host with %d fields: this is not the program", len(all.lines), all.fields["client.Host"])
	}
	used := make(map[string]bool)
	for _, s := range all.oversized() {
		_, name, _ := strings.Cut(s, " ")
		name, _, _ = strings.Cut(name, " ")
		if exceeding[name] == "" {
			t.Error(s)
		}
		used[name] = true
	}
	for name := range exceeding {
		if !used[name] {
			t.Errorf("%s is within the limits: remove it from exceeding", name)
		}
	}
}

// Each limit reports exactly the thing that exceeds it.
func TestLimitsFindEachExcess(t *testing.T) {
	many := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line+"\n", i)
		}
		return b.String()
	}
	for want, files := range map[string]map[string]string{
		"a/x.go has 401 lines": {"a/x.go": "package a\n" + many(400, "// %d")},
		"a/x_test.go has 401":  {"a/x_test.go": "package a\n" + many(400, "// %d")},
		"package a has 5040 lines": maps.Collect(func(yield func(string, string) bool) {
			for i := range 15 {
				if !yield(fmt.Sprintf("a/%d.go", i), "package a\n"+many(5030/15, "// %d")) {
					return
				}
			}
		}),
		"package a has 46 files": maps.Collect(func(yield func(string, string) bool) {
			for i := range 46 {
				if !yield(fmt.Sprintf("a/%d.go", i), "package a\n") {
					return
				}
			}
		}),
		"type a.T has 16 fields":  {"a/x.go": "package a\ntype T struct {\n" + many(15, "f%d int") + "embedded\n}\n"},
		"type a.T has 31 methods": {"a/x.go": "package a\ntype T[P any] struct{}\n" + many(31, "func (t *T[P]) m%d() {}")},
	} {
		all := &tree{make(map[string]int), make(map[string]int), make(map[string]map[string]bool)}
		for path, src := range files {
			if err := all.add(path, []byte(src)); err != nil {
				t.Fatal(err)
			}
		}
		if got := all.oversized(); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("found %q, want %q alone", got, want)
		}
	}
	all := &tree{make(map[string]int), make(map[string]int), make(map[string]map[string]bool)}
	if err := all.add("a/x.go", []byte("// Code generated by x. DO NOT EDIT.\n\npackage a\n"+many(400, "// %d"))); err != nil {
		t.Fatal(err)
	}
	if got := all.oversized(); len(got) != 0 {
		t.Errorf("a generated file: found %q", got)
	}
}
