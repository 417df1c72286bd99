package properties_test

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// module is the root of the module.
const module = ".."

// listedFaults returns the numbers of the rows in docs/faults.md, which count up from 00.
func listedFaults(t *testing.T) (numbers []string) {
	t.Helper()
	text, err := os.ReadFile("../docs/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range regexp.MustCompile(`(?m)^\| F(\d\d) \| .+ \|$`).FindAllStringSubmatch(string(text), -1) {
		if want := fmt.Sprintf("%02d", i); m[1] != want {
			t.Fatalf("docs/faults.md lists F%s in the place of F%s", m[1], want)
		}
		numbers = append(numbers, m[1])
	}
	if len(numbers) == 0 {
		t.Fatal("docs/faults.md lists no faults")
	}
	return numbers
}

// Each fault in docs/faults.md has a test that names it in its comment or in the label of a row, and
// tests name no others.
func TestEachFaultHasATest(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\bF(\d\d)\b`)
	found := make(map[string][]string)
	eachTestFile(t, func(path string, file *ast.File) {
		if filepath.Base(path) == "faults_test.go" && filepath.Base(filepath.Dir(path)) == "properties_test" {
			return
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
	})
	for _, n := range listedFaults(t) {
		if len(found[n]) == 0 {
			t.Errorf("no test is of F%s", n)
		}
		delete(found, n)
	}
	for n, where := range found {
		t.Errorf("F%s of %v is not in docs/faults.md", n, where)
	}
}
