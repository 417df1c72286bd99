//go:build amd64 || arm64

package limit

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Apply sets the limits of a process and forbids core dumps, which would contain its secrets. It
// does not raise a lower limit, except the limit of open files, because the user's shell often
// allows fewer than the system. tasks counts the user's threads.
func Apply(pid int, l Limits, tasks func() uint64) error {
	if l.Processes > 0 {
		l.Processes += tasks() // Linux counts the threads of all the user's processes
	}
	if l.Signals > 0 {
		l.Signals += countSignals(pid) // it counts these for the user too
	}
	for _, one := range []struct {
		resource int
		max      uint64
		set      bool
	}{
		{unix.RLIMIT_CORE, 0, true},
		{unix.RLIMIT_NPROC, l.Processes, l.Processes > 0},
		{unix.RLIMIT_NOFILE, l.Files, l.Files > 0},
		{unix.RLIMIT_FSIZE, l.FileSize, l.FileSize > 0},
		{unix.RLIMIT_DATA, l.Memory, l.Memory > 0},
		{unix.RLIMIT_SIGPENDING, l.Signals, l.Signals > 0},
	} {
		if !one.set {
			continue
		}
		var old unix.Rlimit
		err := unix.Prlimit(pid, one.resource, nil, &old)
		to := unix.Rlimit{Cur: min(old.Cur, one.max), Max: min(old.Max, one.max)}
		if one.resource == unix.RLIMIT_NOFILE {
			to.Cur = to.Max
		}
		if err == nil && to != old {
			err = unix.Prlimit(pid, one.resource, &to, nil)
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // the process has exited
			return fmt.Errorf("limiting the server: %w", err)
		}
	}
	return nil
}

// countSignals counts the pending signals and timers of all processes of pid's user.
func countSignals(pid int) uint64 {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status") // empty if the process has exited
	_, line, _ := strings.Cut(string(status), "\nSigQ:\t")
	count, _, _ := strings.Cut(line, "/")
	n, _ := strconv.ParseUint(count, 10, 64)
	return n
}
