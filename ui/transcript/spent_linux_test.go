package transcript

import (
	"time"

	"golang.org/x/sys/unix"
)

// spent is the CPU time of the thread that it is called on, whatever else the
// machine does meanwhile.
func spent() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // every Linux has it
	return time.Duration(t.Nano())
}
