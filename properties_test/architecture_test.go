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

// unnamed returns the packages that a tree does not name: it has the last path element of each as a
// word, as often as packages bear it.
func unnamed(tree string, packages []string) (missing []string) {
	written := make(map[string]int)
	for _, word := range regexp.MustCompile(`[a-z0-9_]+`).FindAllString(tree, -1) {
		written[word]++
	}
	bearers := make(map[string][]string)
	for _, pkg := range packages {
		name := path.Base(pkg)
		if strings.TrimSuffix(name, "test") == path.Base(path.Dir(pkg)) {
			continue // it only serves the tests of the package above it
		}
		bearers[name] = append(bearers[name], pkg)
	}
	for name, all := range bearers {
		if written[name] < len(all) {
			missing = append(missing, strings.Join(all, ", "))
		}
	}
	slices.Sort(missing)
	return missing
}

// fenced returns the first fenced block of a Markdown document.
func fenced(document string) string {
	_, rest, _ := strings.Cut(document, "\n```\n")
	block, _, _ := strings.Cut(rest, "\n```\n")
	return block
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
	for _, pkgs := range unnamed(fenced(string(text)), list) {
		t.Errorf("the tree of ARCHITECTURE.md does not name %s, or names it fewer times than there are packages", pkgs)
	}
}

// A package counts as named only if a whole word matches, in the tree, for each package of that name.
func TestUnnamedPackagesAreFound(t *testing.T) {
	tree := fenced("# A\n\n```\ninternal/store keeps it; beside it dbfile, wire\n```\n\ninternal/db\n\n```\nwire\n```\n")
	missing := unnamed(tree, []string{"agent/wire", "internal/store", "internal/dbfile", "internal/db", "internal/stores", "internal/store/storetest", "x11/wire"})
	if want := []string{"agent/wire, x11/wire", "internal/db", "internal/stores"}; !slices.Equal(missing, want) {
		t.Errorf("missing are %q, want %q", missing, want)
	}
}

// The documents name only files that exist: `dir/file.go` is a path in the repository.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	source := regexp.MustCompile("`([\\w.-]+/[\\w./-]*\\w\\.go)`")
	named := 0
	for _, document := range documents {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range source.FindAllStringSubmatch(string(text), -1) {
			named++
			if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s names %s: %v", document, m[1], err)
			}
		}
	}
	if named < 20 {
		t.Errorf("found %d names of files in %d documents: these are not the documents", named, len(documents))
	}
}
