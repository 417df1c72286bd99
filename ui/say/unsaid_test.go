package say

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// words is how a sentence or a title reads: with a space between words, or with
// a capital at the start.
var words = regexp.MustCompile(`^\W*[A-Z][a-z]+|\pL[,.;:]? \pL|%[a-z] [a-z]{2}|[a-z]{2} %`)

// fileName is no sentence, and neither is the name of a system's folder.
var fileName = regexp.MustCompile(`^[\w -]+\.[a-z]{2,4}$|^(Library|AppData)(/|$)`)

// neverSaid are texts that read like words and are the same in every language.
var neverSaid = map[string]string{
	"List the files in .":               "what Offline understands is English, see agent/phrase.go",
	"Remember coffee as flat white":     "what Offline understands is English",
	"What do you remember about coffee": "what Offline understands is English",
	"Attached file %q:\n%s\n%s\n%s":     "the model reads it, and the history knows files by it",
	"Attached file ":                    "the history knows files by it",
	"CardStatus(%d)":                    "a fault of the program, for who mends it",
	"Downloads":                         "a folder's name",
	"Formula":                           "the parser's name of a node",
	"January 2006":                      "how a month is written in agent/price.go",
	"OggS":                              "how a file begins",
	"OpusHead":                          "how a file begins",
	"Ogg":                               "a format's name",
	"WebM":                              "a format's name",
	"WebP":                              "a format's name",
}

// An unsaid is a literal that reads like words and is not said.
type unsaid struct{ text, function, where string }

// unsaids finds those of a file.
func unsaids(files *token.FileSet, f *ast.File) (found []unsaid) {
	var path []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || excused(path) {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && words.MatchString(text) && !fileName.MatchString(text) {
			found = append(found, unsaid{text, function(path), files.Position(lit.Pos()).String()})
		}
		return true
	})
	return found
}

// excused reports whether the literal that path leads to is said, or is where
// only the program or who mends it reads it.
func excused(path []ast.Node) bool {
	inner, direct := path[len(path)-1], true
	for _, n := range slices.Backward(path[:len(path)-1]) {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field: // a field's tag
			return true
		case *ast.BinaryExpr: // a sum is said as a whole
		case *ast.KeyValueExpr:
			if n.Key == inner {
				return true
			}
			direct = false
		case *ast.CallExpr:
			if name := callee(n); name == "panic" || strings.HasPrefix(name, "slog.") || direct && strings.HasPrefix(name, "say.") {
				return true
			}
			direct = false
		default:
			direct = false
		}
		inner = n
	}
	return false
}

// callee is such as panic or say.S; empty if it is not as simple.
func callee(call *ast.CallExpr) string {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			return x.Name + "." + fun.Sel.Name
		}
	}
	return ""
}

// function is the name of the one that path leads through.
func function(path []ast.Node) string {
	for _, n := range path {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f.Name.Name
		}
	}
	return ""
}

// What the window shows is said, and nothing that reads like words is only
// written.
func TestNothingIsWrittenThatIsNotSaid(t *testing.T) {
	excuses := maps.Clone(neverSaid)
	paths, err := filepath.Glob("../*.go")
	more, err2 := filepath.Glob("../view/*.go")
	if err != nil || err2 != nil || len(paths) == 0 || len(more) == 0 {
		t.Fatal("no files", err, err2)
	}
	for _, path := range append(paths, more...) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range unsaids(files, f) {
			delete(excuses, u.text)
			if neverSaid[u.text] == "" {
				t.Errorf("%s: %q is not said: write say.S(%[2]q), or tell in neverSaid why not", u.where, u.text)
			}
		}
	}
	for text := range excuses {
		t.Errorf("%q is in neverSaid, and nowhere else", text)
	}
}

// The test above can fail.
func TestUnsaidsAreFound(t *testing.T) {
	for _, c := range []struct {
		code string
		want int
	}{
		{`newLabel("Deny", 12)`, 1},
		{`newLabel("and so on", 12)`, 1},
		{`newLabel("Run "+name+" in the folder", 12)`, 2},
		{`fmt.Sprintf("%d tools", n)`, 1},
		{`fmt.Errorf("%s can't be read: %w", name, err)`, 1},
		{`errors.New("no such file")`, 1},
		{`command{Title: "Deny"}`, 1},
		{`map[string]string{"one two": "Deny"}`, 1},
		{`say.S("Run %s", cmp.Or(name, "a tool"))`, 1},
		{`w.toasts.say("check", "Saved to it")`, 1},
		{`say.S("Deny")`, 0},
		{`say.S("Look at it. " + "Then decide.")`, 0},
		{`say.N(n, "%d tool", "%d tools")`, 0},
		{`say.E("%s can't be read: %w", name, err)`, 0},
		{`fmt.Errorf("%s: %w", name, err)`, 0},
		{`panic("no such kind")`, 0},
		{`panic(fmt.Sprintf("no such %T", kind))`, 0},
		{`slog.Error("it did not open")`, 0},
		{`newGlyph("chevron-up", 12)`, 0},
		{`read("Inter-Regular.otf")`, 0},
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "x.go", "package x\nimport \"goated/Some thing\"\ntype s struct { a int `json:\"A b\"` }\nfunc f() { _ = "+c.code+" }\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := unsaids(files, f); len(got) != c.want {
			t.Errorf("%s: found %v, want %d", c.code, got, c.want)
		}
	}
}
