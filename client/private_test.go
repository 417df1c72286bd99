package client

import (
	"path/filepath"
	"slices"
	"testing"
)

// The sandbox of every server gets goated's own folders as private: no server reads
// them without a grant.
func TestSandboxGetsPrivateFolders(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	settings, data := filepath.Join(dir, "settings"), filepath.Join(dir, "data")
	h := New(Options{Private: []string{settings}, Data: data})
	defer h.Close()
	for _, c := range []Config{{Path: filepath.Join(dir, "server.py")}, {Path: filepath.Join(dir, "goated"), Name: "ghost", Bundled: true}} {
		s := &server{host: h, config: c}
		p, err := s.policy("python3", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range h.Private() {
			if !slices.Contains(p.Private, want) {
				t.Errorf("%s: the private folders are %v, without %s", c.Path, p.Private, want)
			}
		}
		if len(h.Private()) < 2 || !slices.Contains(p.Private, settings) {
			t.Errorf("%s: the private folders are %v", c.Path, p.Private)
		}
	}
}
