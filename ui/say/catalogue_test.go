package say

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write en.json anew, from what the code says")

// said is a sentence of the code. One is empty where nothing is counted.
type said struct{ one, other, where string }

// sayings reads all sentences in the code of goated, which are constants.
func sayings(t *testing.T) (all []said) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path != "../.." && strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := fun.X.(*ast.Ident); !ok || x.Name != "say" {
				return true
			}
			where := files.Position(call.Pos()).String()
			switch fun.Sel.Name {
			case "S", "E":
				all = append(all, said{other: constant(t, where, call.Args[0]), where: where})
			case "N":
				all = append(all, said{one: constant(t, where, call.Args[1]), other: constant(t, where, call.Args[2]), where: where})
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// constant is a literal, or several that are added up.
func constant(t *testing.T, where string, e ast.Expr) string {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return constant(t, where, e.X) + constant(t, where, e.Y)
	}
	t.Errorf("%s: say what is constant, so that it stands in the book: S(\"… %%s\", x), not S(x)", where)
	return ""
}

// The English book is what the code says, all of it and nothing else.
func TestTheBookHasAllSentences(t *testing.T) {
	book := map[string]any{}
	for _, s := range sayings(t) {
		var entry any = s.other
		if s.one != "" {
			entry = map[string]string{"one": s.one, "other": s.other}
		}
		if before, ok := book[s.other]; ok && fmt.Sprint(before) != fmt.Sprint(entry) {
			t.Errorf("%s: %q is said with and without its number, or with two singulars", s.where, s.other)
		}
		book[s.other] = entry
	}
	if len(book) == 0 {
		t.Error("the code says nothing")
	}
	var b bytes.Buffer
	write := json.NewEncoder(&b)
	write.SetEscapeHTML(false)
	write.SetIndent("", "\t")
	if err := write.Encode(book); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("en.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile("en.json"); err != nil || !bytes.Equal(have, b.Bytes()) {
		t.Error("en.json is not what the code says; \"make words\" writes it anew", err)
	}
}

// verb is one of fmt's, with the index of its argument.
var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0]*[\d*.]*(\[\d+\])?[a-zA-Z]`)

// A book of another language has no sentence that English lacks, and puts the
// same things into each.
func TestBooksAgreeWithEnglish(t *testing.T) {
	files, err := books.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	english := map[string]said{}
	for _, s := range sayings(t) {
		english[s.other] = s
	}
	for _, f := range files {
		data, err := books.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		b, err := ReadBook(strings.TrimSuffix(f.Name(), ".json"), data)
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(b.sentences)) {
			if _, ok := english[key]; !ok {
				t.Errorf("%s: nothing says %q any more", f.Name(), key)
			}
			for _, e := range disagreements(key, b.sentences[key]) {
				t.Errorf("%s: %s", f.Name(), e)
			}
		}
		lacks := missing(english, b)
		t.Logf("%s has %d of %d sentences; these stay English: %q", f.Name(), len(english)-len(lacks), len(english), lacks)
	}
}

// missing are the sentences that a book has no words for.
func missing(english map[string]said, b *Book) (lacks []string) {
	for _, key := range slices.Sorted(maps.Keys(english)) {
		if b.sentences[key].other == "" {
			lacks = append(lacks, key)
		}
	}
	return lacks
}

func TestMissingSentencesAreFound(t *testing.T) {
	b, err := ReadBook("de", []byte(`{"Deny": "Ablehnen", "%d tools": {"one": "ein Werkzeug"}, "Save": ""}`))
	if err != nil {
		t.Fatal(err)
	}
	got := missing(map[string]said{"Deny": {}, "Save": {}, "%d tools": {}, "Find": {}}, b)
	if want := []string{"%d tools", "Find", "Save"}; !slices.Equal(got, want) {
		t.Errorf("missing %q, want %q", got, want)
	}
}

// disagreements tells what a translation puts in that the English does not, and
// what it leaves out; the number may be left out of a form.
func disagreements(english string, f forms) (found []string) {
	want := arguments(english)
	counts := f.zero+f.one+f.two+f.few+f.many != ""
	for _, text := range []string{f.zero, f.one, f.two, f.few, f.many, f.other} {
		if text == "" {
			continue
		}
		have := arguments(text)
		if counts { // with or without its number
			delete(have, 1)
			delete(want, 1)
		}
		if !maps.Equal(want, have) {
			found = append(found, fmt.Sprintf("%q does not take what %q takes", text, english))
		}
	}
	if f.other == "" {
		found = append(found, fmt.Sprintf("%q has no form \"other\"", english))
	}
	return found
}

// arguments are the verbs of a format, by the number of their argument.
func arguments(format string) map[int]string {
	found := map[int]string{}
	next := 1
	for _, v := range verb.FindAllString(strings.ReplaceAll(format, "%%", ""), -1) {
		if from, rest, ok := strings.Cut(v, "["); ok && from == "%" {
			index, kind, _ := strings.Cut(rest, "]")
			next, _ = strconv.Atoi(index)
			v = "%" + kind
		}
		found[next] = v
		next++
	}
	return found
}

func TestDisagreementsAreFound(t *testing.T) {
	for _, c := range []struct {
		english string
		forms   forms
		want    int
	}{
		{"%s of %s", forms{other: "%s von %s"}, 0},
		{"%s of %s", forms{other: "von %[2]s: %[1]s"}, 0},
		{"%s of %s", forms{other: "%s"}, 1},
		{"%d of %s", forms{other: "%s von %d"}, 1},
		{"%d tools", forms{one: "ein Werkzeug", other: "%d Werkzeuge"}, 0},
		{"%d tools in %s", forms{one: "eins in %[2]s", other: "%d in %s"}, 0},
		{"%d tools in %s", forms{one: "eins", other: "%d in %s"}, 1},
		{"%d tools", forms{one: "ein Werkzeug"}, 1},
		{"100 %% sure", forms{other: "100 %% sicher"}, 0},
	} {
		if got := disagreements(c.english, c.forms); len(got) != c.want {
			t.Errorf("%q, %v: %d disagreements, want %d: %v", c.english, c.forms, len(got), c.want, got)
		}
	}
}
