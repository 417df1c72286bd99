// Package cgroup limits the memory and the processes of each server as a sum, where the system
// leaves a control group of version 2 to goated. It also finds the files in which Linux tells a
// process how much memory and how many processors it may use. Runtimes read them before they
// divide their work: Java, .NET, Node, DuckDB, which crashes where such a file exists and cannot
// be read. The package must not list other control groups, whose names say which programs the
// user runs, and must not know who makes a group for goated.
package cgroup

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// files are the limits and the use of a group, in both versions of cgroups.
var files = []string{
	"cgroup.controllers", "cpu.max", "cpu.weight", "cpuset.cpus", "cpuset.cpus.effective", "pids.max",
	"memory.max", "memory.high", "memory.current", "memory.stat", "memory.swap.max", "memory.swap.current",

	"cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.shares", "cpuset.effective_cpus",
	"memory.limit_in_bytes", "memory.soft_limit_in_bytes", "memory.usage_in_bytes", "memory.memsw.limit_in_bytes", "memory.use_hierarchy",
}

// Limits returns the files of this process's groups and of those above them that exist.
func Limits() []string {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil // other systems, and kernels without control groups
	}
	return limits(root, string(groups))
}

// limits reads the lines of /proc/self/cgroup, "ID:CONTROLLERS:PATH" (cgroups(7)).
func limits(root, groups string) (list []string) {
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 || strings.HasPrefix(parts[1], "name=") {
			continue
		}
		top := filepath.Join(root, parts[1]) // of version 2: the root
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			for _, name := range files {
				file := filepath.Join(top, group, name)
				if _, err := os.Stat(file); err == nil && !slices.Contains(list, file) {
					list = append(list, file)
				}
			}
			if group == "/" {
				break
			}
		}
	}
	return list
}
