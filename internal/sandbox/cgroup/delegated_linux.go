package cgroup

import (
	"os"

	"golang.org/x/sys/unix"
)

// delegated reports whether a group is delegated to its processes. systemd marks such a group, and
// is the only manager of all others. Without systemd, the owner of the files decides.
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
