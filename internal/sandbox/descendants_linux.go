//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// isDescendant reports whether a process is the server or descends from it. It reads
// the ancestors twice, because Linux may reuse the number of a parent that has ended.
func (d *notifier) isDescendant(pid int) bool {
	line := func() []int {
		var out []int
		for next := pid; next > 1 && len(out) < 1000; {
			out = append(out, next)
			if next == d.server || d.adoptsOrphans && len(out) > 1 && next == os.Getpid() {
				return out
			}
			s, err := readProcInfo(next)
			if err != nil {
				break
			}
			next = s.parent
		}
		return nil
	}
	first := line()
	return first != nil && slices.Equal(first, line())
}

// isSubreaper reports whether orphans of the server become children of this process, as
// in a keeper. Then all descendants of this process belong to the server.
func isSubreaper() bool {
	var yes int32
	err := unix.Prctl(unix.PR_GET_CHILD_SUBREAPER, uintptr(unsafe.Pointer(&yes)), 0, 0, 0)
	return err == nil && yes != 0
}

type procInfo struct{ process, parent, group, session int }

// readProcInfo reads the process of a thread with its parent, group and session.
func readProcInfo(tid int) (procInfo, error) {
	var r procInfo
	dir := filepath.Join("/proc", strconv.Itoa(tid))
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return r, err
	}
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return r, err
	}
	// The name, in parentheses, may contain anything. State, parent, group and
	// session follow it.
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	_, process, ok := bytes.Cut(status, []byte("\nTgid:\t"))
	if len(fields) < 4 || !ok {
		return r, unix.ESRCH
	}
	process, _, _ = bytes.Cut(process, []byte("\n"))
	for i, to := range []*int{&r.process, &r.parent, &r.group, &r.session} {
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

// allPIDs returns the numbers of all processes.
func allPIDs() []int {
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

// ownTasks counts the threads of this user's processes.
func ownTasks() uint64 { return countTasks(uint32(os.Getuid())) }

// countTasks counts the threads of a user's processes. It may miss threads that start
// or end in the meantime.
func countTasks(uid uint32) uint64 {
	var n uint64
	for _, pid := range allPIDs() {
		var st unix.Stat_t
		// The folder has one link for each thread, and two more.
		if err := unix.Stat("/proc/"+strconv.Itoa(pid)+"/task", &st); err == nil && st.Uid == uid && st.Nlink > 2 {
			n += uint64(st.Nlink) - 2
		}
	}
	return n
}
