package cgroup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// root is where systems mount control groups (version 2).
const root = "/sys/fs/cgroup"

const (
	own    = "goated"  // this process's group in its tree
	server = "server-" // prefix of the names of the other groups
)

// controllers lists the controllers that a tree needs.
var controllers = []string{"memory", "pids"}

// A Tree is a part of the control groups (version 2) that the system delegates to this process. It
// has one group for this process and a [Group] for each server, because a group whose controllers
// are on cannot contain processes itself.
type Tree struct{ path string }

// Own returns the tree of this process, and moves the process into its group. If the process's
// current group is not delegated to it, Own calls enter, which moves the process into one that is.
func Own(enter func() error) (*Tree, error) {
	path, err := current()
	if err != nil {
		return nil, err
	}
	if filepath.Base(path) == own { // an earlier call moved it
		return &Tree{filepath.Dir(path)}, nil
	}
	if !delegated(path) {
		if err := enter(); err != nil {
			return nil, err
		}
		if path, err = current(); err != nil {
			return nil, err
		}
	} else if pids, err := processes(path); err != nil || len(pids) != 1 {
		return nil, fmt.Errorf("the control group %s holds other programs too", path)
	}
	return divide(path)
}

// current returns the folder of this process's group.
func current() (string, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return "", fmt.Errorf("reading the control group: %w", err)
	}
	for line := range strings.Lines(string(groups)) {
		path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue
		}
		path = filepath.Join(root, path)
		if _, err := os.Stat(filepath.Join(path, "cgroup.controllers")); err == nil {
			return path, nil
		}
	}
	return "", errors.New("this system has no control groups of version 2")
}

// divide turns a group into a tree. It moves the group's processes into a group below it, and
// switches the controllers on for the others. It removes servers' groups that an earlier process
// left when it was killed.
func divide(path string) (*Tree, error) {
	has, err := os.ReadFile(filepath.Join(path, "cgroup.controllers"))
	if err != nil {
		return nil, fmt.Errorf("reading the control group: %w", err)
	}
	for _, c := range controllers {
		if !slices.Contains(strings.Fields(string(has)), c) {
			return nil, fmt.Errorf("the system does not leave the control of %s to the group %s", c, path)
		}
	}
	left, _ := filepath.Glob(filepath.Join(path, server+"*")) // the pattern is well formed
	for _, dir := range left {
		_ = os.Remove(dir) // fails if the group is in use
	}
	inner := filepath.Join(path, own)
	if err := os.Mkdir(inner, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("making a control group: %w", err)
	}
	for range 5 { // a process may start in the meantime
		pids, err := processes(path)
		if err != nil {
			return nil, err
		}
		for _, pid := range pids {
			if err := write(inner, "cgroup.procs", strconv.Itoa(pid)); err != nil && pid == os.Getpid() {
				_ = os.Remove(inner) // it is empty
				return nil, err
			}
		}
		if err = write(path, "cgroup.subtree_control", "+"+strings.Join(controllers, " +")); err == nil {
			return &Tree{path}, nil
		}
	}
	return nil, fmt.Errorf("the control group %s does not become free", path)
}

// processes lists the processes that are directly in a group.
func processes(path string) (pids []int, err error) {
	list, err := os.ReadFile(filepath.Join(path, "cgroup.procs"))
	if err != nil {
		return nil, fmt.Errorf("listing the processes of a control group: %w", err)
	}
	for _, field := range strings.Fields(string(list)) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// write writes an existing file of a group.
func write(path, name, text string) error {
	f, err := os.OpenFile(filepath.Join(path, name), os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("controlling a group: %w", err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		return fmt.Errorf("controlling a group: %w", err)
	}
	return nil
}
