//go:build unix

package portal

import (
	"os"
	"syscall"

	"github.com/godbus/dbus/v5"
)

// pipe converts a D-Bus file descriptor to a file with deadlines. It takes ownership of the descriptor.
func pipe(fd dbus.UnixFD) (*os.File, error) {
	if err := syscall.SetNonblock(int(fd), true); err != nil { // deadlines need this
		_ = syscall.Close(int(fd))
		return nil, err
	}
	return os.NewFile(uintptr(fd), "clipboard"), nil
}
