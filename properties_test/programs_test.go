package properties_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Tests write programs with proctest.WriteProgram. If another test starts a process during os.WriteFile,
// that process holds the file open for a moment, and then the program does not start ("text file busy").
func TestTestsWriteProgramsSafely(t *testing.T) {
	t.Parallel()
	eachTestFile(t, func(path string, f *ast.File) {
		if writesProgram(f) {
			t.Errorf("%s writes an executable file: use proctest.WriteProgram", path)
		}
	})
}

// eachTestFile calls do with each test file of the module, except in testdata and in folders whose name
// begins with a dot.
func eachTestFile(t *testing.T, do func(path string, f *ast.File)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != module && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		do(path, f)
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("read %d test files: %v", files, err)
	}
}

// writesProgram reports whether a file calls os.WriteFile with an executable mode.
func writesProgram(f *ast.File) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && calls(call, "WriteFile") && len(call.Args) == 3 {
			if mode, ok := call.Args[2].(*ast.BasicLit); ok {
				bits, err := strconv.ParseUint(mode.Value, 0, 32)
				found = found || err == nil && bits&0o111 != 0
			}
		}
		return true
	})
	return found
}
