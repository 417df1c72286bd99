package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

// A linked worktree inside the workspace holds the code of the workspace again, so its files are not listed. A
// submodule and another repository have code of their own.
func TestNestedWorktreesAreLeftOut(t *testing.T) {
	for link, want := range map[string]int{
		"gitdir: /home/u/repo/.git/worktrees/fix\n":  1,
		"gitdir: C:\\repo\\.git\\worktrees\\fix\r\n": 1,
		"gitdir: ../.git/modules/sub\n":              2,
		"gitdir: ../.git/modules/worktrees/sub\n":    2,
		"": 2,
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.py": "", "sub/.git": link, "sub/p/a.py": ""} {
			full := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if files, _, err := w.Files(t.Context()); err != nil || len(files) != want {
			t.Errorf("%q: %v, %v", link, files, err)
		}
		if inner, err := Open(filepath.Join(dir, "sub")); err != nil {
			t.Fatal(err)
		} else {
			defer inner.Close()
			if files, _, err := inner.Files(t.Context()); err != nil || len(files) != 1 { // the worktree as the workspace itself
				t.Errorf("%q as the workspace: %v, %v", link, files, err)
			}
		}
	}
}
