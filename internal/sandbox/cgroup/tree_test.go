package cgroup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// group creates a folder with the files of a control group.
func group(t *testing.T, controllers string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"cgroup.controllers": controllers, "cgroup.procs": "", "cgroup.subtree_control": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDivide switches the controllers on, and removes the groups that an earlier process left,
// unless they are in use.
func TestDivide(t *testing.T) {
	dir := group(t, "cpu memory pids\n")
	for _, name := range []string{"server-1", "server-2/child", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if tree, err := divide(dir); err != nil || tree.path != dir {
		t.Fatal(tree, err)
	}
	if on, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control")); err != nil || string(on) != "+memory +pids" {
		t.Errorf("%q, %v", on, err)
	}
	var left []string
	list, err := os.ReadDir(dir)
	for _, e := range list {
		if e.IsDir() {
			left = append(left, e.Name())
		}
	}
	if want := []string{own, "other", "server-2"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("%q, want %q, %v", left, want, err)
	}
}

// TestDivideWithoutMemory does not change a group if the system keeps a controller for itself.
func TestDivideWithoutMemory(t *testing.T) {
	dir := group(t, "cpu pids\n")
	if tree, err := divide(dir); err == nil {
		t.Errorf("there is a tree: %v", tree)
	}
	if _, err := os.Stat(filepath.Join(dir, own)); err == nil {
		t.Error("it made a group")
	}
}
