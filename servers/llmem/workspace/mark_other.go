//go:build !linux && !darwin

package workspace

import "io/fs"

// mark returns 0: here only the size and the time of a file say whether it changed.
func mark(fs.FileInfo) uint64 { return 0 }
