package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/sandbox"
)

// A link is allowed as what it leads to, and that is what to type: a server may
// have made the link.
func TestAllowedPathsAreNoLinks(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe()) // links lead no rule astray
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, link := filepath.Join(base, "dir"), filepath.Join(base, "link")
	if err := os.MkdirAll(filepath.Join(dir, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	ps, err := (&options{reads: []string{dir}, writes: []string{filepath.Join(dir, "x")}}).grant()
	if err != nil || len(ps) != 2 {
		t.Errorf("%+v, %v", ps, err)
	}
	for _, o := range []*options{{reads: []string{link}}, {writes: []string{filepath.Join(link, "x")}}} {
		if _, err := o.grant(); err == nil || !strings.Contains(err.Error(), " "+dir) {
			t.Errorf("%+v: it says %v", o, err)
		}
	}
}
