package properties_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A rule says what a package must not import.
type rule struct {
	of     string   // the package; "x/..." is x and all below it, "..." is all of goated
	except string   // one that the rule is not for
	not    []string // prefixes of what must not be imported
	but    []string // prefixes of what may be all the same
	direct bool     // only what it names itself counts; otherwise also what that brings along
	why    string
}

// rules are the architecture: imports point down, never up.
var rules = []rule{
	{of: "goated/registry", not: []string{"goated/", "google.golang.org/genai", "fyne.io/"},
		why: "the registry is data: names and tools, whoever connects, calls or draws them"},
	{of: "goated/registry", not: []string{"github.com/", "golang.org/", "go.uber.org/", "gopkg.in/"}, but: []string{"github.com/modelcontextprotocol/go-sdk/mcp"}, direct: true,
		why: "mcp is the registry's only vocabulary"},
	{of: "goated/client", not: []string{"goated/agent", "goated/ui", "goated/cmd", "goated/servers", "google.golang.org/genai", "fyne.io/"},
		why: "a host connects servers for any model and any surface, or for none"},
	{of: "goated/internal/gobuild", not: []string{"goated/"}, but: []string{"goated/internal/proc", "goated/internal/sandbox", "goated/internal/ansi"},
		why: "a build gets its settings as arguments, and knows neither MCP nor hosts"},
	{of: "goated/client/internal/...", not: []string{"goated/"}, but: []string{"goated/client/internal", "goated/internal/proc", "goated/internal/ansi", "goated/internal/sandbox"},
		why: "a connection knows bytes and messages, not tools, sessions or the host"},
	{of: "goated/internal/proc", not: []string{"goated/"}, but: []string{"goated/internal/sandbox", "goated/internal/ansi"},
		why: "a process starts and ends in the same way, whatever protocol it speaks"},
	{of: "goated/internal/ansi", not: []string{"goated/"},
		why: "the filter of control sequences knows only text"},
	{of: "goated/client/diagnose", not: []string{"goated/"}, but: []string{"goated/internal/sandbox"},
		why: "a diagnosis is a pure function of the facts"},
	{of: "goated/internal/wording", not: []string{"goated/ui", "goated/cmd", "goated/servers", "fyne.io/"},
		why: "sentences are made of error kinds, for the window and the terminal alike"},
	{of: "goated/agent", not: []string{"goated/client", "goated/ui", "goated/cmd", "goated/servers", "fyne.io/"},
		why: "the loop declares the tools that it needs, and is tested without processes"},
	{of: "goated/ui/view", not: []string{"goated/cmd", "goated/servers", "fyne.io/"},
		why: "what to show is pure, and the terminal shows it too"},
	{of: "goated/ui/servers", not: []string{"goated/ui", "goated/cmd", "goated/servers", "goated/internal/store", "goated/internal/chat"}, but: []string{"goated/ui/kit", "goated/ui/view", "goated/ui/shell", "goated/ui/form", "goated/ui/jsonview", "goated/ui/richtext", "goated/ui/transcript", "goated/ui/servers"}, direct: true,
		why: "a page gets functions for what other pages do"},
	{of: "goated/ui/dialogs", not: []string{"goated/client", "goated/ui", "goated/cmd", "goated/servers", "goated/internal/store", "goated/internal/chat"}, but: []string{"goated/ui/kit", "goated/ui/view", "goated/ui/shell", "goated/ui/form", "goated/ui/transcript", "goated/ui/dialogs"}, direct: true,
		why: "a question brings its own sheet, so the queue knows no page"},
	{of: "goated/ui/settings", not: []string{"goated/ui", "goated/cmd", "goated/servers", "goated/internal/store", "goated/internal/chat"}, but: []string{"goated/ui/kit", "goated/ui/view", "goated/ui/shell", "goated/ui/settings"}, direct: true,
		why: "a page gets functions for what other pages do"},
	{of: "goated/ui/form", not: []string{"goated/agent", "goated/client", "goated/ui", "goated/cmd", "goated/servers"}, but: []string{"goated/ui/kit", "goated/ui/view", "goated/ui/shell", "goated/ui/form"}, direct: true,
		why: "a form knows its schema and not who asks"},
	{of: "goated/ui/shell", not: []string{"goated/agent", "goated/ui", "goated/cmd", "goated/servers"}, but: []string{"goated/ui/kit", "goated/ui/view", "goated/ui/shell"}, direct: true,
		why: "pages know the shell, and the shell knows no page"},
	{of: "goated/ui/chats", not: []string{"goated/client", "goated/ui", "goated/cmd", "goated/servers"}, but: []string{"goated/ui/chats", "goated/ui/kit", "goated/ui/shell", "goated/ui/transcript", "goated/ui/view"}, direct: true,
		why: "the page of the conversations draws the transcript and knows no other page"},
	{of: "goated/ui", not: []string{"fyne.io/fyne/v2/app", "goated/cmd", "goated/servers"},
		why: "the window is tested on a driver in memory; only the program picks a real one, which needs cgo"},
	{of: "goated/internal/store", not: []string{"goated/client", "goated/ui", "goated/cmd", "goated/servers", "fyne.io/"},
		why: "what is kept of a conversation is what the agent says of it, whoever shows it"},
	{of: "goated/internal/config", not: []string{"goated/client", "goated/agent", "goated/ui", "goated/cmd", "goated/servers", "fyne.io/", "google.golang.org/genai"},
		why: "settings are data that the window and the terminal share"},
	{of: "goated/internal/chat", not: []string{"goated/client"}, direct: true,
		why: "turns need tools, whoever runs them; only the sentences of errors come from internal/wording, which knows client"},
	{of: "goated/internal/chat", not: []string{"goated/ui", "goated/cmd", "goated/servers", "fyne.io/"},
		why: "the window and the terminal save their turns in the same way, and this package knows neither"},
	{of: "goated/internal/consent", not: []string{"goated/agent", "goated/ui", "goated/cmd", "goated/servers", "fyne.io/"},
		why: "the window and the terminal decide about permissions in the same way, and only differ in how they ask"},
	{of: "goated/internal/debounce", not: []string{"goated/", "fyne.io/"},
		why: "a debounced writer knows neither the values nor the place that it writes to"},
	{of: "goated/internal/state", not: []string{"goated/", "fyne.io/", "google.golang.org/genai"},
		why: "a file of JSON is kept the same way, whatever is in it"},
	{of: "goated/internal/sandbox", not: []string{"goated/", "os/user"}, direct: true,
		why: "a sandbox confines any program, and knows nothing of servers"},
	{of: "goated/assets", not: []string{"goated/"},
		why: "assets are bytes"},
	{of: "goated/servers/...", not: []string{"goated/"}, but: []string{"goated/servers"},
		why: "a bundled server runs under any client, so it knows nothing of this one"},
	{of: "goated/servers/...", not: []string{"fyne.io/", "google.golang.org/genai"},
		why: "a bundled server has no window and no model"},
	{of: "...", except: "goated/cmd/goated", not: []string{"fyne.io/fyne/v2/app"},
		why: "one place opens the window"},
	{of: "...", except: "goated/cmd/goated", not: []string{"github.com/zalando/go-keyring"},
		why: "one place holds secrets"},
	{of: "...", except: "goated/cmd/goated", not: []string{"goated/cmd/"},
		why: "the program is the root: it wires all, and nothing knows of it"},
	{of: "...", not: []string{"github.com/alecthomas/chroma/v2/lexers"},
		why: "it reads 279 files before main, in the window and in each bundled server and keeper; see ui/view/lexer.go"},
	{of: "...", except: "goated/cmd/goated", not: []string{"log"}, but: []string{"log/slog"}, direct: true,
		why: "one log, made by the program and handed down"},
	{of: "...", not: []string{"goated/internal/geminitest", "goated/internal/servertest", "goated/ui/internal/screentest", "testing", "pgregory.net/rapid", "go.uber.org/goleak"},
		but: []string{"testing/fstest", "testing/iotest"}, direct: true,
		why: "what tests stand on is not part of the program"},
}

// isTestSupport are the packages that exist for tests.
func isTestSupport(pkg string) bool {
	return pkg == "goated/internal/geminitest" || pkg == "goated/internal/servertest" || pkg == "goated/ui/internal/screentest"
}

// violations are the edges that a rule forbids, told with the rule's reason.
// The graph leads from each package to what it imports.
func violations(graph map[string][]string, rules []rule) (found []string) {
	for _, r := range rules {
		for _, pkg := range slices.Sorted(maps.Keys(graph)) {
			if !r.covers(pkg) {
				continue
			}
			reached := graph[pkg]
			if !r.direct {
				reached = reach(graph, pkg)
			}
			for _, dep := range reached {
				if r.forbids(dep) && dep != pkg {
					found = append(found, fmt.Sprintf("%s reaches %s, but %s", pkg, dep, r.why))
				}
			}
		}
	}
	return found
}

func (r rule) covers(pkg string) bool {
	switch base, below := strings.CutSuffix(r.of, "..."); {
	case pkg == r.except || isTestSupport(pkg) || pkg != "goated" && !strings.HasPrefix(pkg, "goated/"):
		return false
	case below && base != "":
		return pkg+"/" == base || strings.HasPrefix(pkg, base)
	case below:
		return true
	}
	return pkg == r.of
}

func (r rule) forbids(dep string) bool {
	under := func(prefix string) bool {
		return dep == prefix || strings.HasPrefix(dep, strings.TrimSuffix(prefix, "/")+"/")
	}
	return slices.ContainsFunc(r.not, under) && !slices.ContainsFunc(r.but, under)
}

// reach is everything that a package imports, and what that imports.
func reach(graph map[string][]string, pkg string) []string {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(p string) {
		for _, dep := range graph[p] {
			if !seen[dep] {
				seen[dep] = true
				visit(dep)
			}
		}
	}
	visit(pkg)
	return slices.Sorted(maps.Keys(seen))
}

// list asks go list about all of goated and what it imports, tests excluded.
func list(t *testing.T, tags, format string, more ...string) []string {
	t.Helper()
	args := append([]string{"list", "-tags", tags, "-f", format}, more...)
	cmd := exec.Command("go", append(args, "goated/...")...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func importGraph(t *testing.T, tags string) map[string][]string {
	t.Helper()
	graph := make(map[string][]string)
	for _, line := range list(t, tags, `{{.ImportPath}} {{join .Imports " "}}`, "-deps") {
		words := strings.Fields(line)
		graph[words[0]] = words[1:]
	}
	return graph
}

// "Imports point down, never up: cmd/goated → ui → ui/view → {agent, client} →
// registry → mcp; agent does not import client; servers/* import only the SDK
// and their own needs." With the window and without.
func TestLayering(t *testing.T) {
	for _, tags := range []string{"ci", "headless"} {
		graph := importGraph(t, tags)
		if !slices.Contains(graph["goated/client"], "goated/registry") || len(graph["net/http"]) == 0 {
			t.Fatal("the graph is not the program's")
		}
		for _, v := range violations(graph, rules) {
			t.Errorf("-tags %s: %s", tags, v)
		}
	}
}

// The rules can fail: each finds the edge that it is about when it is planted,
// on its own and behind another package.
func TestLayeringFindsPlantedEdges(t *testing.T) {
	clean := map[string][]string{
		"goated/registry":         {"github.com/modelcontextprotocol/go-sdk/mcp", "slices"},
		"goated/client":           {"goated/registry", "log/slog"},
		"goated/agent":            {"goated/registry", "google.golang.org/genai"},
		"goated/ui/view":          {"goated/agent", "goated/client"},
		"goated/ui":               {"goated/ui/view", "goated/assets", "fyne.io/fyne/v2"},
		"goated/servers":          {"goated/servers/ghost"},
		"goated/servers/ghost":    {"github.com/modelcontextprotocol/go-sdk/mcp"},
		"goated/assets":           {"embed"},
		"goated/cmd/goated":       {"goated/ui", "goated/servers", "fyne.io/fyne/v2/app", "github.com/zalando/go-keyring", "log"},
		"goated/internal/between": {},
		"log/slog":                {"log"},
	}
	if v := violations(clean, rules); len(v) > 0 {
		t.Fatalf("found where there is nothing: %q", v)
	}
	for _, r := range rules {
		from := strings.TrimSuffix(r.of, "/...")
		if r.of == "..." {
			from = "goated/client"
		}
		for _, bad := range r.not {
			bad = strings.TrimSuffix(bad, "/") + map[bool]string{true: "/x"}[strings.HasSuffix(bad, "/")]
			planted := maps.Clone(clean)
			planted[from] = append(slices.Clone(clean[from]), bad)
			if !slices.ContainsFunc(violations(planted, rules), func(v string) bool { return strings.Contains(v, r.why) }) {
				t.Errorf("%s → %s goes unnoticed", from, bad)
			}
			if r.direct {
				continue
			}
			planted[from] = append(slices.Clone(clean[from]), "example.com/between")
			planted["example.com/between"] = []string{bad}
			if !slices.ContainsFunc(violations(planted, rules), func(v string) bool { return strings.Contains(v, r.why) }) {
				t.Errorf("%s → example.com/between → %s goes unnoticed", from, bad)
			}
		}
	}
}

// Every package says what it is for; nothing runs because a package is
// imported; and the standard logger is the program's alone, on every system
// and under every tag.
func TestSourceHabits(t *testing.T) {
	for _, line := range list(t, "ci", `{{.ImportPath}} {{.Dir}}`) {
		pkg, dir, _ := strings.Cut(line, " ")
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		if len(files) == 0 {
			continue // nothing but tests
		}
		documented := false
		for _, path := range files {
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			documented = documented || strings.TrimSpace(f.Doc.Text()) != ""
			for _, habit := range habits(pkg, f) {
				t.Errorf("%s: %s", path, habit)
			}
		}
		if !documented {
			t.Errorf("package %s has no comment that says what it is for", pkg)
		}
	}
}

// habits are what a file does that it should not.
func habits(pkg string, f *ast.File) (bad []string) {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && !strings.HasPrefix(pkg, "goated/cmd/") {
			bad = append(bad, "it has an init function")
		}
	}
	for _, i := range f.Imports {
		if i.Path.Value == `"log"` && pkg != "goated/cmd/goated" {
			bad = append(bad, "it imports log")
		}
	}
	return bad
}

func TestSourceHabitsAreFound(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nimport \"log\"\nfunc init() { log.Println() }\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := habits("goated/client", f); len(got) != 2 {
		t.Errorf("found %q", got)
	}
	if got := habits("goated/cmd/goated", f); len(got) != 0 {
		t.Errorf("found %q in the program", got)
	}
}
