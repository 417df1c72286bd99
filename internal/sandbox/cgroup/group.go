package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"goated/internal/sandbox/limit"
)

// A Group contains the processes of one server. Linux counts their memory as a sum, including
// memory that no single process owns: shared memory, files in memory, and the server's /dev/shm. A
// nil Group limits nothing.
type Group struct {
	path  string
	procs *os.File
}

// New creates a group without processes. If its memory exceeds the limit, Linux kills all of its
// processes and no others. The caller must remove the group.
func (t *Tree) New(l limit.Limits) (*Group, error) {
	path, err := os.MkdirTemp(t.path, server)
	if err != nil {
		return nil, fmt.Errorf("making a control group: %w", err)
	}
	g := &Group{path: path}
	for _, one := range []struct{ name, value string }{
		{"memory.max", amount(l.Memory)},
		// Idle servers give their memory to busy programs, but a server that uses much memory
		// cannot fill the swap.
		{"memory.swap.max", amount(l.Memory / 4)},
		{"memory.oom.group", "1"}, // the remaining processes could hold the shared memory
		{"pids.max", amount(l.Processes)},
	} {
		if err := write(path, one.name, one.value); err != nil && !(one.name == "memory.swap.max" && errors.Is(err, fs.ErrNotExist)) { // a kernel without swap
			g.Remove()
			return nil, err
		}
	}
	if g.procs, err = os.OpenFile(filepath.Join(path, "cgroup.procs"), os.O_WRONLY, 0); err != nil {
		g.Remove()
		return nil, fmt.Errorf("opening a control group: %w", err)
	}
	return g, nil
}

// amount formats a limit for Linux. 0 means none.
func amount(n uint64) string {
	if n == 0 {
		return "max"
	}
	return strconv.FormatUint(n, 10)
}

// Procs returns the file that moves a process into the group when the process's ID is written to
// it. Another process may have the file, even in another namespace: see [Join].
func (g *Group) Procs() *os.File { return g.procs }

// Join moves a process into the group of a file from [Group.Procs].
func Join(procs *os.File, pid int) error {
	if procs == nil {
		return os.ErrInvalid
	}
	if _, err := procs.WriteString(strconv.Itoa(pid)); err != nil {
		return fmt.Errorf("joining a control group: %w", err)
	}
	return nil
}

// Limits lists the files that contain the limits of a process in the group.
func (g *Group) Limits() []string {
	return limits(root, "0::"+strings.TrimPrefix(g.path, root))
}

// OutOfMemory reports whether Linux killed a process because the group reached its memory limit.
func (g *Group) OutOfMemory() bool {
	if g == nil {
		return false
	}
	events, _ := os.ReadFile(filepath.Join(g.path, "memory.events")) // empty if the group was removed
	for line := range strings.Lines(string(events)) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok {
			return n != "0"
		}
	}
	return false
}

// Remove kills the processes that are still in the group, and removes the group. If a process does
// not exit, a later [Own] removes the group, or the system removes it with the whole tree.
func (g *Group) Remove() {
	if g == nil {
		return
	}
	if g.procs != nil {
		_ = g.procs.Close()
	}
	_ = write(g.path, "cgroup.kill", "1") // missing before Linux 5.14; the keeper kills too
	for range 500 {
		if err := os.Remove(g.path); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(2 * time.Millisecond) // killed processes take a moment
	}
}
