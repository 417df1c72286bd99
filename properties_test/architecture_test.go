package properties_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unnamed returns the packages whose last path element does not occur in a text.
func unnamed(text string, packages []string) (missing []string) {
	words := regexp.MustCompile(`[a-z0-9_]+`).FindAllString(text, -1)
	for _, pkg := range packages {
		name := path.Base(pkg)
		if strings.TrimSuffix(name, "test") == path.Base(path.Dir(pkg)) {
			continue // it only serves the tests of the package above it
		}
		if !slices.Contains(words, name) {
			missing = append(missing, pkg)
		}
	}
	return missing
}

// The tree in ARCHITECTURE.md names each package, so that a reader can trust that it is complete.
// The last path element is enough: a line about a folder can name its subfolders.
func TestArchitectureNamesEachPackage(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	all, err := readTree("..")
	if err != nil {
		t.Fatal(err)
	}
	packages := make(map[string]bool)
	for file := range all.lines {
		file = filepath.ToSlash(file)
		if !strings.HasSuffix(file, "_test.go") && !strings.Contains(file, "testdata/") {
			packages[path.Dir(file)] = true
		}
	}
	var list []string
	for pkg := range packages {
		list = append(list, pkg)
	}
	slices.Sort(list)
	if len(list) < 100 {
		t.Fatalf("found %d packages: this is not the program", len(list))
	}
	for _, pkg := range unnamed(string(text), list) {
		t.Errorf("the tree of ARCHITECTURE.md does not name %s", pkg)
	}
}

// A package counts as named only if a whole word matches.
func TestUnnamedPackagesAreFound(t *testing.T) {
	missing := unnamed("internal/store keeps it; beside it dbfile", []string{"internal/store", "internal/dbfile", "internal/db", "internal/stores", "internal/store/storetest"})
	if !slices.Equal(missing, []string{"internal/db", "internal/stores"}) {
		t.Errorf("missing are %q", missing)
	}
}
