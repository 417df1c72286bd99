package serverflags

import (
	"path/filepath"
	"testing"

	"goated/internal/sandbox"
	"goated/ui/view"
)

// The flag that a question suggests gives exactly the permission in the question, even if the path
// does not exist yet.
func TestFlagsForMissingPaths(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []sandbox.Permission{
		{Kind: sandbox.ToWrite, Path: filepath.Join(dir, ".tool")},
		{Kind: sandbox.ToWrite, Path: filepath.Join(dir, "folder.d")},
		{Kind: sandbox.ToWriteFile, Path: filepath.Join(dir, ".tool.json")},
		{Kind: sandbox.ToWriteFile, Path: filepath.Join(dir, "plain")},
	} {
		flag := view.AllowFlag(p)
		o := &Target{writes: []string{flag[len("--allow-write "):]}}
		got, err := o.Grant()
		if err != nil || len(got) != 1 || got[0] != p {
			t.Errorf("%s gives %v, %v; want %v", flag, got, err, p)
		}
	}
	if _, err := (&Target{writes: []string{filepath.Join(dir, "none", "file")}}).Grant(); err == nil {
		t.Error("a file in a missing folder is accepted")
	}
}
