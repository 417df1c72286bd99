package sandbox

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// limit sets the limits of a process, and none for a core dump, which would be
// a picture of all its secrets. A limit that is lower already stays.
func limit(pid int, l Limits) error {
	if l.Processes > 0 {
		// Linux counts all of the user's. What runs now is an upper bound of them.
		var info unix.Sysinfo_t
		if err := unix.Sysinfo(&info); err != nil {
			return fmt.Errorf("counting processes: %w", err)
		}
		l.Processes += uint64(info.Procs)
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
	} {
		if !one.set {
			continue
		}
		var old unix.Rlimit
		err := unix.Prlimit(pid, one.resource, nil, &old)
		if err == nil && (old.Max > one.max || old.Cur > one.max) {
			err = unix.Prlimit(pid, one.resource, &unix.Rlimit{Cur: min(old.Cur, one.max), Max: min(old.Max, one.max)}, nil)
		}
		if err != nil && !errors.Is(err, unix.ESRCH) { // it has ended
			return fmt.Errorf("limiting the server: %w", err)
		}
	}
	return nil
}
