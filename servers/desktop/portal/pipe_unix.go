//go:build unix

package portal

import (
	"os"
	"syscall"

	"github.com/godbus/dbus/v5"
)

// pipe returns a descriptor of D-Bus as a file with deadlines. It owns the descriptor.
func pipe(fd dbus.UnixFD) (*os.File, error) {
	if err := syscall.SetNonblock(int(fd), true); err != nil { // so that deadlines hold
		_ = syscall.Close(int(fd))
		return nil, err
	}
	return os.NewFile(uintptr(fd), "clipboard"), nil
}
