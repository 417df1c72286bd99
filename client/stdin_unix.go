//go:build unix

package client

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A stdin is our end of a server's input.
type stdin = os.File

func newStdin(pipe *os.File) *stdin { return pipe }

// unread waits until the read end of a pipe is nobody's any more, and is false if
// its write end, w, is closed before. It takes no thread: the end of the last
// reader is an event of the write end, which the runtime waits for as for data.
func unread(w *stdin) bool {
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
