package cgroup

import (
	"os"
	"path/filepath"
	"testing"

	"goated/internal/sandbox/limit"
)

// TestGroupWithoutControl creates a group without controllers. That fails and leaves no group.
func TestGroupWithoutControl(t *testing.T) {
	dir := t.TempDir()
	if g, err := (&Tree{dir}).New(limit.Default); err == nil {
		t.Errorf("there is a group: %+v", g)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := Join(nil, os.Getpid()); err == nil {
		t.Error("this process joined no group")
	}
}

func TestOutOfMemory(t *testing.T) {
	for events, want := range map[string]bool{
		"low 0\nhigh 0\nmax 12\noom 1\noom_kill 1\noom_group_kill 1\n": true,
		"low 0\nhigh 0\nmax 12\noom 0\noom_kill 0\noom_group_kill 0\n": false, // it gave up its cache
		"": false,
	} {
		g := &Group{path: t.TempDir()}
		if err := os.WriteFile(filepath.Join(g.path, "memory.events"), []byte(events), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := g.OutOfMemory(); got != want {
			t.Errorf("%q: %t", events, got)
		}
	}
	if (*Group)(nil).OutOfMemory() {
		t.Error("no group is out of memory")
	}
}
