package index

import (
	"fmt"
	"testing"
	"time"
)

// The package in the root of a Go module has the path of the module. Nothing seemed to import its
// files, and it counted as a package from elsewhere.
func TestImportOfTheRootPackage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n", "m.go": "package m\n", "m_test.go": "package m\n",
		"cmd/m/main.go": "package main\n\nimport (\n\t\"example.com/m\"\n\t\"example.com/more\"\n)\n",
	})
	x := open(t, dir, "")
	if _, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	var g Graph
	goMod := []byte("module example.com/m\n")
	if _, usedBy := g.Neighbours(x.Snapshot(), goMod, "m.go"); fmt.Sprint(usedBy) != "[cmd/m/main.go]" {
		t.Errorf("used by %v", usedBy)
	}
	uses, _ := g.Neighbours(x.Snapshot(), goMod, "cmd/m/main.go")
	if packages := g.Packages(x.Snapshot(), goMod, "cmd/m/main.go"); fmt.Sprint(uses, packages) != "[m.go] [example.com/more]" {
		t.Errorf("it uses %v and %v", uses, packages)
	}
}
