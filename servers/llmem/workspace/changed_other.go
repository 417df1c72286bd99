//go:build !linux && !darwin

package workspace

import "io/fs"

// changed returns 0: here only the size and the time of a file say whether it changed.
func changed(fs.FileInfo) int64 { return 0 }
