package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeAll writes files below a folder. DIR in a text stands for the path of that folder.
func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(strings.ReplaceAll(text, "DIR", filepath.ToSlash(dir))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// If the main checkout of a linked worktree is in the workspace, the worktree contains the same
// code again, so its files are not listed. A submodule and another repository contain different
// code.
func TestNestedWorktreesAreLeftOut(t *testing.T) {
	for link, want := range map[string]int{
		"gitdir: DIR/.git/worktrees/fix\n":          1,
		"gitdir: ../.git/worktrees/fix\r\n":         1,
		"gitdir: ..\\.git\\worktrees\\fix\r\n":      1,
		"gitdir: ../.git/modules/sub\n":             2,
		"gitdir: ../.git/modules/worktrees/sub\n":   2,
		"gitdir: ../.git/modules/s/worktrees/sub\n": 2,
		"": 2,
	} {
		dir := t.TempDir()
		writeAll(t, dir, map[string]string{"a.py": "", ".git/index": "", "sub/.git": link, "sub/p/a.py": ""})
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
			if files, _, err := inner.Files(t.Context()); err != nil || len(files) != 1 { // opens the worktree itself as the workspace
				t.Errorf("%q as the workspace: %v, %v", link, files, err)
			}
		}
	}
}

// A worktree whose main checkout is outside the workspace was skipped too, although it is the only
// copy of the code.
func TestWorktreesOfRepositoriesElsewhereAreListed(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a repository elsewhere":           {"ws/fix/.git": "gitdir: DIR/repo/.git/worktrees/fix\n", "repo/.git/index": ""},
		"a relative path to it":            {"ws/fix/.git": "gitdir: ../../repo/.git/worktrees/fix\n", "repo/.git/index": ""},
		"a bare repository":                {"ws/fix/.git": "gitdir: DIR/ws/repo.git/worktrees/fix\n", "ws/repo.git/HEAD": ""},
		"a bare repository with a dot":     {"ws/fix/.git": "gitdir: ../.bare/worktrees/fix\n", "ws/.bare/HEAD": ""},
		"a bare repository as .git":        {"ws/fix/.git": "gitdir: DIR/ws/.git/worktrees/fix\n", "ws/.git/HEAD": ""},
		"a main checkout that git ignores": {"ws/fix/.git": "gitdir: DIR/ws/old/.git/worktrees/fix\n", "ws/old/.git/index": "", "ws/.gitignore": "old/\n"},
		"a repository that is gone":        {"ws/fix/.git": "gitdir: C:\\repo\\.git\\worktrees\\fix\r\n"},
	} {
		dir := t.TempDir()
		writeAll(t, dir, files)
		writeAll(t, dir, map[string]string{"ws/fix/a.py": ""})
		w, err := Open(filepath.Join(dir, "ws"))
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		listed, _, err := w.Files(t.Context())
		found := false
		for _, f := range listed {
			found = found || f.Path == "fix/a.py"
		}
		if err != nil || !found {
			t.Errorf("%s: %v, %v", name, listed, err)
		}
	}
}

// A worktree in a worktree contains the same code again, even if the main checkout is elsewhere or
// the repository is bare. Both were listed.
func TestWorktreesInWorktreesAreLeftOut(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"a repository elsewhere": {".git": "gitdir: /repo/.git/worktrees/a\n", "b/.git": "gitdir: /repo/.git/worktrees/b\n"},
		"relative paths":         {".git": "gitdir: ../repo/.git/worktrees/a\n", "b/.git": "gitdir: ../../repo/.git/worktrees/b\n"},
		"a bare repository":      {".git": "gitdir: /repo.git/worktrees/a\n", "b/.git": "gitdir: /repo.git/worktrees/b\n"},
		"not at the root":        {"in/a/.git": "gitdir: /repo/.git/worktrees/a\n", "in/a/x/b/.git": "gitdir: /repo/.git/worktrees/b\n", "in/a/x/b/a.py": ""},
	} {
		dir := t.TempDir()
		writeAll(t, dir, files)
		writeAll(t, dir, map[string]string{
			"b/a.py": "", "in/a/a.py": "", // one of these two is in a worktree
			"sub/.git": "gitdir: /repo/.git/worktrees/a/modules/sub\n", "sub/a.py": "", "other/.git": "gitdir: /other/.git/worktrees/a\n", "other/a.py": "",
		})
		w, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		listed, _, err := w.Files(t.Context())
		var have []string
		for _, f := range listed {
			have = append(have, f.Path)
		}
		want := "in/a/a.py other/a.py sub/a.py"
		if name == "not at the root" {
			want = "b/a.py " + want
		}
		if err != nil || strings.Join(have, " ") != want {
			t.Errorf("%s: %v, %v, want %s", name, have, err, want)
		}
	}
}
