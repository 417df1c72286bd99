//go:build !linux && !darwin

package ctime

import "io/fs"

// Of returns 0: here only the size and the time of a file say whether it changed.
func Of(fs.FileInfo) int64 { return 0 }
