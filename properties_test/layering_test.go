package properties_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
)

// modulePath is the prefix of the import path of every package of goated.
const modulePath = "goated/"

// violations lists the imports that no rule allows, and the rules that no package uses. graph maps
// each package to its imports.
func violations(graph map[string][]string, allowed map[string]map[string]string, vendors []vendor) (found []string) {
	used := make(map[string]bool)
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		name, own := strings.CutPrefix(pkg, modulePath)
		if !own {
			continue
		}
		for _, dep := range graph[pkg] {
			target, own := strings.CutPrefix(dep, modulePath)
			switch {
			case !own:
				if why := refused(vendors, name, dep); why != "" {
					found = append(found, fmt.Sprintf("%s imports %s, but %s", name, dep, why))
				}
			case allowed[name][target] == "":
				found = append(found, fmt.Sprintf("%s imports %s, and no entry of allowed gives a reason", name, target))
			default:
				used[name+" "+target] = true
			}
		}
	}
	for name, deps := range allowed {
		for target := range deps {
			if !used[name+" "+target] {
				found = append(found, fmt.Sprintf("%s does not import %s: remove the entry of allowed", name, target))
			}
		}
	}
	slices.Sort(found)
	return found
}

// A vendor is a library, or a folder of one, that only some packages may import.
type vendor struct {
	library string   // its import path, or a prefix that ends with "/"
	users   []string // patterns of path.Match; a pattern that ends with "/..." covers a folder
	why     string   // completes the sentence "x imports library, but …"
}

// refused returns the reason why pkg must not import library, or "".
func refused(vendors []vendor, pkg, library string) string {
	for _, v := range vendors { // the first entry that covers the library decides
		if library != v.library && !(strings.HasSuffix(v.library, "/") && strings.HasPrefix(library, v.library)) {
			continue
		}
		for _, u := range v.users {
			if folder, ok := strings.CutSuffix(u, "/..."); ok && (pkg == folder || strings.HasPrefix(pkg, folder+"/")) {
				return ""
			}
			if ok, _ := path.Match(u, pkg); ok {
				return ""
			}
		}
		return v.why
	}
	return ""
}

// importGraph asks go list for goated's packages, all that they need, and their imports, without tests.
func importGraph(t *testing.T, tags string) map[string][]string {
	t.Helper()
	graph := make(map[string][]string)
	for _, line := range list(t, tags, `{{.ImportPath}} {{join .Imports " "}}`, "-deps") {
		words := strings.Fields(line)
		graph[words[0]] = words[1:]
	}
	return graph
}

// listed holds the lines of go list by its arguments, for the tests that ask the same.
var listed sync.Map

// list runs go list over all packages of goated.
func list(t *testing.T, tags, format string, more ...string) []string {
	t.Helper()
	args := append(append([]string{"list", "-tags", tags, "-f", format}, more...), modulePath+"...")
	if lines, ok := listed.Load(fmt.Sprint(args)); ok {
		return slices.Clone(lines.([]string))
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	listed.Store(fmt.Sprint(args), lines)
	return slices.Clone(lines)
}

// "Imports point down, never up." Each import has a reason, both with and without the window.
func TestLayering(t *testing.T) {
	graph := make(map[string][]string)
	for _, tags := range []string{"ci", "headless"} {
		for pkg, deps := range importGraph(t, tags) {
			graph[pkg] = append(graph[pkg], deps...)
		}
	}
	if !slices.Contains(graph["goated/client"], "goated/registry") {
		t.Fatal("this is not the program's graph")
	}
	for _, v := range violations(graph, allowed, vendors) {
		t.Error(v)
	}
}

// The allowed imports contain no cycle and never point up to the program.
func TestAllowedImportsPointDown(t *testing.T) {
	const open, done = 1, 2
	state := make(map[string]int)
	var visit func(pkg string, way []string)
	visit = func(pkg string, way []string) {
		switch state[pkg] {
		case open:
			t.Errorf("cycle: %s", strings.Join(append(way, pkg), " → "))
		case done:
		default:
			state[pkg] = open
			for _, dep := range slices.Sorted(maps.Keys(allowed[pkg])) {
				visit(dep, append(slices.Clone(way), pkg))
			}
			state[pkg] = done
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(allowed)) {
		visit(pkg, nil)
	}
	for pkg, deps := range allowed {
		if deps["cmd/goated"] != "" {
			t.Errorf("%s imports the program", pkg)
		}
	}
}

// Some packages must not reach a library, not even through another package.
func TestNothingReaches(t *testing.T) {
	for _, tags := range []string{"ci", "headless"} {
		graph := importGraph(t, tags)
		if len(graph["net/http"]) == 0 {
			t.Fatal("this is not the whole graph")
		}
		for _, r := range unreachable {
			for pkg := range graph {
				name, own := strings.CutPrefix(pkg, modulePath)
				if ok, _ := path.Match(r.from, name); !own || !ok {
					continue
				}
				for dep := range reach(graph, pkg) {
					if dep == r.library || strings.HasSuffix(r.library, "/") && strings.HasPrefix(dep, r.library) {
						t.Errorf("-tags %s: %s reaches %s, but %s", tags, name, dep, r.why)
					}
				}
			}
		}
	}
}

// reach returns all direct and indirect imports of a package.
func reach(graph map[string][]string, pkg string) map[string]bool {
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
	return seen
}

// The rules report a planted import and an unused rule.
func TestLayeringFindsPlantedEdges(t *testing.T) {
	rules := map[string]map[string]string{"client": {"registry": "it offers tools there"}}
	libraries := []vendor{
		{"fyne.io/fyne/v2/app", []string{"cmd/goated"}, "one place opens the window"},
		{"fyne.io/", []string{"ui", "ui/...", "cmd/goated"}, "only the window draws"},
	}
	clean := map[string][]string{"goated/client": {"goated/registry", "slices"}, "goated/ui/kit": {"fyne.io/fyne/v2"}, "goated/cmd/goated": {"fyne.io/fyne/v2/app"}}
	if v := violations(clean, rules, libraries); len(v) > 0 {
		t.Errorf("found %q in a clean graph", v)
	}
	for _, tt := range []struct{ from, to, want string }{
		{"goated/client", "goated/ui", "client imports ui, and no entry"},
		{"goated/registry", "goated/client", "registry imports client, and no entry"},
		{"goated/client", "fyne.io/fyne/v2", "client imports fyne.io/fyne/v2, but only the window draws"},
		{"goated/ui/kit", "fyne.io/fyne/v2/app", "ui/kit imports fyne.io/fyne/v2/app, but one place"},
	} {
		planted := maps.Clone(clean)
		planted[tt.from] = append(slices.Clone(clean[tt.from]), tt.to)
		if v := violations(planted, rules, libraries); len(v) != 1 || !strings.HasPrefix(v[0], tt.want) {
			t.Errorf("%s → %s: found %q", tt.from, tt.to, v)
		}
	}
	if v := violations(map[string][]string{"goated/client": nil}, rules, nil); len(v) != 1 || !strings.Contains(v[0], "remove the entry") {
		t.Errorf("a stale entry: found %q", v)
	}
}
