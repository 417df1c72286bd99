package servers

import (
	"slices"
	"testing"
)

// A server whose project would be the home folder or the root gets neither to read. llmem got the
// whole home folder, although it refuses to work there.
func TestNoServerReadsTheHomeFolder(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, root := range []string{home, "/"} {
		for _, s := range All() {
			if slices.Contains(s.Reads(Options{Root: root, Data: t.TempDir()}), root) {
				t.Errorf("%s may read %s", s.Name, root)
			}
		}
	}
	project := t.TempDir()
	for _, s := range All() {
		reads := slices.Contains(s.Reads(Options{Root: project, Data: t.TempDir()}), project)
		if want := s.Name == "ghost" || s.Name == "llmem"; reads != want {
			t.Errorf("%s may read its project: %v", s.Name, reads)
		}
	}
}
