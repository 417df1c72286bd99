package transcript

import (
	"time"

	"golang.org/x/sys/unix"
)

// spent returns the CPU time of the calling thread, which does not depend on other load on the
// machine.
func spent() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // every Linux supports it
	return time.Duration(t.Nano())
}
