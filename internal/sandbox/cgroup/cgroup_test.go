package cgroup

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestLimits finds the limits of the process's groups and of the groups above them, and of no others.
func TestLimits(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"cpu.max", "user.slice/memory.max", "user.slice/app.scope/memory.max", "user.slice/app.scope/cgroup.procs", "user.slice/telegram.scope/memory.max",
		"memory/docker/1/memory.limit_in_bytes", "memory/docker/2/memory.limit_in_bytes", "cpu,cpuacct/cpu.cfs_quota_us", "systemd/pids.max",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for groups, want := range map[string][]string{
		"0::/user.slice/app.scope\n":                                        {"user.slice/app.scope/memory.max", "user.slice/memory.max", "cpu.max"},
		"9:name=systemd:/\n4:memory:/docker/1\n3:cpu,cpuacct:/\n2:pids:/\n": {"memory/docker/1/memory.limit_in_bytes", "cpu,cpuacct/cpu.cfs_quota_us"},
		"0::/../../other":  {"cpu.max"}, // outside of the namespace
		"":                 nil,
		"no such line\n::": {"cpu.max"},
	} {
		var got []string
		for _, file := range limits(root, groups) {
			name, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", groups, got, want)
		}
	}
}
