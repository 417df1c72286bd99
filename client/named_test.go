package client

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A path among the arguments was granted for writing, so a server wrote
// .git/hooks/pre-commit and .envrc of the project that it was shown.
func TestAPathAmongTheArgumentsIsGrantedForReading(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g := named([]string{dir, "--file=" + file, "relative"}, "")
	if !slices.Equal(g.Read, []string{dir, file}) || len(g.Write) > 0 || len(g.Files) > 0 {
		t.Errorf("granted is %+v", g)
	}
}
