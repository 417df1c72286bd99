package cgroup

import (
	"os"

	"golang.org/x/sys/unix"
)

// delegated reports whether a group is left to its processes. systemd marks such a group; of
// all others it is the only manager. Without systemd, the owner of the files says it.
func delegated(path string) bool {
	if unix.Access(path, unix.W_OK) != nil {
		return false
	}
	var value [8]byte
	if n, err := unix.Getxattr(path, "user.delegate", value[:]); err == nil && string(value[:n]) == "1" {
		return true
	}
	_, err := os.Stat("/run/systemd/system")
	return os.IsNotExist(err)
}
