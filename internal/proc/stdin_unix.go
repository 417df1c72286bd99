//go:build unix

package proc

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A Stdin is the write end of a server's stdin.
type Stdin = os.File

func newStdin(pipe *os.File) *Stdin { return pipe }

// WaitUnread waits until the pipe has no reader left, and returns true. It returns false if w, the
// write end of the pipe, is closed first. It blocks no thread, because the runtime's poller waits
// for the event.
func WaitUnread(w *Stdin) bool {
	raw, err := w.SyscallConn()
	if err != nil {
		return false
	}
	return raw.Read(func(fd uintptr) bool {
		at := []unix.PollFd{{Fd: int32(fd)}}
		for {
			_, err := unix.Poll(at, 0)
			if !errors.Is(err, unix.EINTR) {
				return at[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
			}
		}
	}) == nil
}
