//go:build !linux

package trim

// unmapFile does nothing, because other systems reclaim such pages themselves.
func unmapFile() {}
