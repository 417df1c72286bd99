package workspace

import (
	"io/fs"
	"syscall"
)

// mark returns a number that changes when a file is replaced, or changes without a new
// time: it holds the inode and the time of its last change, which programs cannot set.
func mark(info fs.FileInfo) uint64 {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(s.Ctimespec.Nano())*31 ^ s.Ino
}
