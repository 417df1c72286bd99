//go:build !linux

package ui

import "time"

var started = time.Now()

// spent is the time: that of a thread is not to be had.
func spent() time.Duration { return time.Since(started) }
