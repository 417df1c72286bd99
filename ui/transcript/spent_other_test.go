//go:build !linux

package transcript

import "time"

var started = time.Now()

// spent returns the wall time, because the system does not report the time of a thread.
func spent() time.Duration { return time.Since(started) }
