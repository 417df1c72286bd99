package properties_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// faultCount is the number of faults that a host of servers must be tested with: faults of the
// wire, of processes, of the registry, of calls and of the disk.
const faultCount = 48

// module is the root of the module.
const module = ".."

// Each fault has a test that names it in its comment or in the label of a row.
func TestEachFaultHasATest(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\bF(\d\d)\b`)
	found := make(map[string][]string)
	err := filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != module || d.Name() == "testdata") {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "faults_test.go" && filepath.Base(filepath.Dir(path)) == "properties_test" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		note := func(text, where string) {
			for _, m := range number.FindAllStringSubmatch(text, -1) {
				found[m[1]] = append(found[m[1]], where)
			}
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") {
				note(f.Doc.Text(), f.Name.Name)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool { // the labels of a table
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				if label, ok := pair.Value.(*ast.BasicLit); ok && fmt.Sprint(pair.Key) == "number" {
					note(label.Value, filepath.Base(path))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= faultCount; n++ {
		if name := fmt.Sprintf("%02d", n); len(found[name]) == 0 {
			t.Errorf("no test is of F%s", name)
		}
		delete(found, fmt.Sprintf("%02d", n))
	}
	delete(found, "00") // a server without a fault
	for name, where := range found {
		t.Errorf("F%s of %v is not on the list", name, where)
	}
}
