package llmem

import (
	"fmt"
	"strings"
	"testing"
)

// The first definition is the one that the reader looks for. It is no variable that only holds
// another file's definition, no code that was generated from the original, and no example or test.
func TestLikelyDefinitionsAndReferencesComeFirst(t *testing.T) {
	b := start(t, map[string]string{
		"dist/all.js":      "function Route() {}\n",
		"examples/a.js":    "function Route() {}\n",
		"lib/express.js":   "var Route = require('./route');\nexports.Route = Route;\n",
		"lib/route.js":     "module.exports = Route;\n\nfunction Route() {}\n",
		"lib/route.min.js": "function Route(){}\n",
		"test/a_test.js":   "function Route() {}\n",
	})
	f := b.ok("find_symbol", map[string]any{"name": "Route", "references": true})
	var definitions, references []string
	for _, d := range f.definitions(t) {
		definitions = append(definitions, fmt.Sprintf("%s:%d", d.Path, d.StartLine))
	}
	for _, u := range f.Data.References {
		references = append(references, u.Path)
	}
	if len(definitions) == 0 || definitions[0] != "lib/route.js:3" || definitions[len(definitions)-1] != "test/a_test.js:1" {
		t.Errorf("definitions %v", definitions)
	}
	if want := "[lib/express.js lib/route.js dist/all.js examples/a.js lib/route.min.js test/a_test.js]"; fmt.Sprint(references) != want {
		t.Errorf("references %v, want %s", references, want)
	}
}

// The answer to a question without matches says so.
func TestAQuestionThatNothingFits(t *testing.T) {
	b := start(t, project())
	for query, fits := range map[string]bool{"kubernetes ingress zzz": false, "what is the": false, "main": true, "": true} {
		a := b.ok("map_workspace", map[string]any{"query": query})
		if got := !strings.HasPrefix(a.NextAction, "Nothing fits the question."); got != fits {
			t.Errorf("%q: %q", query, a.NextAction)
		}
	}
}

// A map without definitions reports whether there are any source files.
func TestAnEmptyMapSaysWhy(t *testing.T) {
	for name, want := range map[string]string{"a.txt": "has no source files in a language", "a.sh": "have no definitions, or no outline"} {
		b := start(t, map[string]string{name: "echo hello\n"})
		if a := b.ok("map_workspace", nil); !strings.Contains(a.NextAction, want) {
			t.Errorf("%s: %q", name, a.NextAction)
		}
	}
}

// A name without a match leads to names in another style, with the words in another order, or with
// a typo.
func TestCloseNamesAreFound(t *testing.T) {
	b := start(t, map[string]string{"a.py": "def create_app(): pass\n\nclass OrderBook:\n    def place_order(self): pass\n\ndef run(): pass\n"})
	for name, want := range map[string]string{
		"create app": "create_app", "creat_app": "create_app", "createApp": "create_app", "app create": "create_app", "craete_app": "create_app", "place order": "place_order",
		"order book": "OrderBook", "order book place": "place_order", "OrderBook.place order": "place_order", "ru n": "run", "rum": "", "kubernetes": "", "___": "",
	} {
		a := b.ok("find_symbol", map[string]any{"name": name})
		got := ""
		if list := a.definitions(t); len(list) > 0 {
			got = list[0].Name
		}
		if got != want || want != "" && a.Data.Match != "similar" || a.NextAction == "" {
			t.Errorf("%s: %q (%s, %q), want %q", name, got, a.Data.Match, a.NextAction, want)
		}
	}
}

// Only the map lists the files without an outline. Otherwise the list would be most of each answer.
func TestSkippedFilesAreListedOnce(t *testing.T) {
	files := project()
	for i := range 30 {
		files[fmt.Sprintf("big/%02d.py", i)] = strings.Repeat("# x\n", 300_000)
	}
	b := start(t, files)
	if c := b.ok("map_workspace", nil).Data.Coverage; len(c.Skipped) != 20 || c.More != 10 {
		t.Errorf("the map: %+v", c)
	}
	if c := b.ok("find_symbol", map[string]any{"name": "main"}).Data.Coverage; len(c.Skipped) != 0 || c.More != 30 {
		t.Errorf("find_symbol: %+v", c)
	}
}

// A wrong guess of the kind, the directory or the parent does not hide a definition: the answer
// reports that the name exists.
func TestAWrongFilterShowsWhereTheNameIs(t *testing.T) {
	b := start(t, map[string]string{"lib/queue.py": "class Queue:\n    def add(self): pass\n", "app/main.py": "def address(): pass\n"})
	for _, args := range []map[string]any{
		{"name": "add", "kind": "func"}, {"name": "add", "directory": "src"}, {"name": "add", "directory": "app"}, {"name": "Stack.add"},
	} {
		a := b.ok("find_symbol", args)
		if list := a.definitions(t); len(list) != 1 || list[0].Path != "lib/queue.py" || a.Data.Match != "elsewhere" || !strings.Contains(a.NextAction, "These have the name") {
			t.Errorf("%v: %s %v, %q", args, a.Data.Match, list, a.NextAction)
		}
	}
}

// A name may be in a file without an outline, so the answer does not claim that it does not exist.
func TestANameMayBeInASkippedFile(t *testing.T) {
	b := start(t, map[string]string{"a.py": "def a(): pass\n", "big.py": strings.Repeat("# x\n", 300_000) + "def wanted(): pass\n"})
	if a := b.ok("find_symbol", map[string]any{"name": "wanted"}); !strings.Contains(a.NextAction, "without one: 1") || a.Data.Match != "none" {
		t.Errorf("%s, %q", a.Data.Match, a.NextAction)
	}
}

// Names, references and the text in a prompt are converted if a source is not in UTF-8.
func TestASourceInLatin1(t *testing.T) {
	b := start(t, map[string]string{"a.go": "package a\n\n// Gr\xf6\xdfe misst.\nfunc Gr\xf6\xdfe() {}\n\nfunc b() { Gr\xf6\xdfe() }\n"})
	a := b.ok("find_symbol", map[string]any{"name": "Größe", "references": true})
	if list := a.definitions(t); len(list) != 1 || len(a.Data.References) != 1 || fmt.Sprint(a.Data.References[0].Lines) != "[3 4 6]" {
		t.Errorf("%v, %v", list, a.Data.References)
	}
	if p := b.ok("generate_prompt", map[string]any{"path": "a.go", "task": "summarize"}).PromptForHostLLM; !strings.Contains(p, "// Größe misst.") {
		t.Errorf("the prompt is %s", p)
	}
	last := b.ok("store_llm_result", map[string]any{"path": "a.go", "task": "summarize", "result": "It measures."})
	if last.Data.Stale || b.ok("list_artifacts", nil).Data.Artifacts[0].Stale {
		t.Error("the summary is stale at once")
	}
}

// The compiler rejects a Go file that is not UTF-8. get_artifact parsed the converted text and did
// not report that.
func TestAGoFileInLatin1HasSyntaxErrors(t *testing.T) {
	b := start(t, map[string]string{"latin.go": "package a\n\n// Gr\xf6\xdfe misst.\nfunc A() {}\n", "utf8.go": "package a\n\n// Größe misst.\nfunc B() {}\n"})
	for name, want := range map[string]bool{"latin.go": true, "utf8.go": false} {
		a := b.ok("get_artifact", map[string]any{"path": name})
		if a.Data.SyntaxErrors != want || len(a.Data.Symbols) != 1 || a.Data.Symbols[0].Doc != "Größe misst." {
			t.Errorf("%s: errors %v, %v", name, a.Data.SyntaxErrors, a.Data.Symbols)
		}
	}
}
