package worktree

import (
	"os"
	"path/filepath"
	"testing"
)

// put writes a file and creates its folders.
func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// repositoryIn creates the files that every repository has.
func repositoryIn(t *testing.T, git string) {
	t.Helper()
	put(t, filepath.Join(git, "HEAD"), "ref: refs/heads/main\n")
	put(t, filepath.Join(git, "config"), "[core]\n\tbare = false\n")
	if err := os.MkdirAll(filepath.Join(git, "objects"), 0o755); err != nil {
		t.Fatal(err)
	}
}

// A refused file of a repository stands for its git folder only if the repository refers to the
// readable folder and vice versa. A .git file may contain any path.
func TestWhole(t *testing.T) {
	top := t.TempDir()
	at := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	git := at("main/.git")
	repositoryIn(t, git)
	for _, name := range []string{"good", "relative", "moved"} {
		put(t, at("main/.git/worktrees/"+name+"/HEAD"), "ref: refs/heads/x\n")
	}
	put(t, at("main/.git/worktrees/good/gitdir"), at("good/.git")+"\n")
	put(t, at("good/.git"), "gitdir: "+at("main/.git/worktrees/good")+"\n")
	put(t, at("main/.git/worktrees/relative/gitdir"), "../../../../relative/.git\n") // git worktree add --relative-paths
	put(t, at("relative/.git"), "gitdir: ../main/.git/worktrees/relative\n")
	put(t, at("main/.git/worktrees/moved/gitdir"), at("elsewhere/.git")+"\n")
	put(t, at("moved/.git"), "gitdir: "+at("main/.git/worktrees/moved")+"\n")
	module := at("main/.git/modules/part")
	repositoryIn(t, module)
	put(t, filepath.Join(module, "config"), "[core]\n\tworktree = ../../../part\n")
	put(t, at("main/part/.git"), "gitdir: ../.git/modules/part\n")
	hostile := at("secrets/.git")
	repositoryIn(t, hostile)
	put(t, at("hostile/.git"), "gitdir: "+hostile+"\n")
	put(t, at("keys/HEAD"), "no repository")
	put(t, at("liar/.git"), "gitdir: "+at("keys")+"\n")

	for _, c := range []struct{ refused, readable, want string }{
		{at("main/.git/worktrees/good/commondir"), at("good"), git},
		{at("main/.git/worktrees/relative/HEAD"), at("relative"), git},
		{module + "/HEAD", at("main/part"), module},
		{at("main/.git/worktrees/good/commondir"), at("other"), ""},  // the server may not read the worktree
		{at("main/.git/worktrees/moved/commondir"), at("moved"), ""}, // the repository contains another path for it
		{hostile + "/HEAD", at("hostile"), ""},                       // the repository does not contain this folder
		{at("keys/HEAD"), at("liar"), ""},
		{at("none/at/all"), at("good"), ""},
	} {
		if c.want == "" {
			c.want = c.refused
		}
		if got := Whole(c.refused, func(path string) bool { return path == c.readable }); got != c.want {
			t.Errorf("%s for %s: %s, want %s", c.refused, c.readable, got, c.want)
		}
	}
}
