//go:build unix

package client

import (
	"os"

	"golang.org/x/sys/unix"
)

// namedPipe makes a pipe with a name, and opens it at both its ends: nobody has
// to wait for the other.
func namedPipe(path string) (*os.File, error) {
	_ = os.Remove(path) // of the build before
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
}
