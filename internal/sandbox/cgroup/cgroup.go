// Package cgroup limits the total memory and number of processes of each server, if the system
// delegates a control group (version 2) to goated. It also finds the files in which Linux tells a
// process how much memory and how many processors it may use. Runtimes such as Java, .NET, Node and
// DuckDB read them to divide their work, and DuckDB crashes if such a file exists but is
// unreadable. The package must not list other control groups, whose names reveal which programs the
// user runs. It must not know who creates a group for goated.
package cgroup

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// The files with a group's limits and usage, in both versions of cgroups. Their names begin with
// the name of the controller.
var (
	filesV1 = []string{
		"cpu.cfs_quota_us", "cpu.cfs_period_us", "cpu.shares", "cpuset.cpus", "cpuset.effective_cpus", "pids.max",
		"memory.limit_in_bytes", "memory.soft_limit_in_bytes", "memory.usage_in_bytes", "memory.memsw.limit_in_bytes", "memory.use_hierarchy", "memory.stat",
	}
	filesV2 = []string{
		"cgroup.controllers", "cpu.max", "cpu.weight", "cpuset.cpus", "cpuset.cpus.effective", "pids.max",
		"memory.max", "memory.high", "memory.current", "memory.stat", "memory.swap.max", "memory.swap.current",
	}
)

// Limits returns the existing limit files of this process's groups and of the groups above them.
func Limits() []string {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil // other systems, and kernels without control groups
	}
	return limits(root, string(groups))
}

// limits parses the lines of /proc/self/cgroup, "ID:CONTROLLERS:PATH" (cgroups(7)).
func limits(root, groups string) (list []string) {
	for line := range strings.Lines(groups) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 || strings.HasPrefix(parts[1], "name=") {
			continue
		}
		top, names := filepath.Join(root, parts[1]), filesOf(parts[1]) // the root, for version 2
		for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
			for _, name := range names {
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

// filesOf returns the names of the files in a group with a line's controllers, which are empty for
// version 2. Looking for all other names would take most of the time.
func filesOf(controllers string) []string {
	if controllers == "" {
		return filesV2
	}
	var names []string
	for _, name := range filesV1 {
		controller, _, _ := strings.Cut(name, ".")
		if slices.Contains(strings.Split(controllers, ","), controller) {
			names = append(names, name)
		}
	}
	return names
}
