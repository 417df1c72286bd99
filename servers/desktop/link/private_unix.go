//go:build unix

package link

import (
	"os"
	"path/filepath"
	"syscall"
)

// isPrivate reports whether only the user can reach a socket. Its folder must belong to them or to
// root, and nobody else may have access to it.
func isPrivate(path string) bool {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(s.Uid) == os.Getuid() || s.Uid == 0)
}
