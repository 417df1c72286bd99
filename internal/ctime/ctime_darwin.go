package ctime

import (
	"io/fs"
	"syscall"
)

// Of returns the time when a file or its metadata last changed, in nanoseconds since 1970. Programs
// cannot set this time. A file that replaces another has a new one.
func Of(info fs.FileInfo) int64 {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return s.Ctimespec.Nano()
}
