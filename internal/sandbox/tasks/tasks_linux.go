// Package tasks reads from /proc which processes and threads exist, and to which group and session
// they belong.
//
// It has no state. Its results may be outdated immediately: a process may have exited, and Linux
// may have reused its PID.
package tasks

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// A Task holds the process IDs that describe where a thread belongs.
type Task struct{ Process, Parent, Group, Session int }

// Of reads the process, the parent, the group and the session of a thread.
func Of(tid int) (Task, error) {
	var r Task
	dir := filepath.Join("/proc", strconv.Itoa(tid))
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return r, err
	}
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return r, err
	}
	// The name, in parentheses, may contain anything. The state, the parent, the group and the
	// session follow it.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	_, process, ok := bytes.Cut(status, []byte("\nTgid:\t"))
	if len(fields) < 4 || !ok {
		return r, unix.ESRCH
	}
	process, _, _ = bytes.Cut(process, []byte("\n"))
	for i, to := range []*int{&r.Process, &r.Parent, &r.Group, &r.Session} {
		word := process
		if i > 0 {
			word = fields[i]
		}
		if *to, err = strconv.Atoi(string(word)); err != nil {
			return r, err
		}
	}
	return r, nil
}

// Processes returns the IDs of all processes.
func Processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // as many as could be read
	var out []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// CountOwn counts the threads of this user's processes.
func CountOwn() uint64 { return Count(uint32(os.Getuid())) }

// Count counts the threads of a user's processes. It may miss threads that start or exit in the
// meantime.
func Count(uid uint32) uint64 {
	var n uint64
	for _, pid := range Processes() {
		var st unix.Stat_t
		// The folder has one link per thread, plus two.
		if err := unix.Stat("/proc/"+strconv.Itoa(pid)+"/task", &st); err == nil && st.Uid == uid && st.Nlink > 2 {
			n += uint64(st.Nlink) - 2
		}
	}
	return n
}
