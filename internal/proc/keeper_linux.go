package proc

import (
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const adopts = true

// attributes makes the server lead a new session and die with its keeper.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// openFile duplicates the open file that path names as /proc/self/fd/N. It returns nil if path
// names no open file.
func openFile(path string) *os.File {
	number, ok := strings.CutPrefix(path, openFiles)
	fd, err := strconv.Atoi(number)
	if !ok || err != nil {
		return nil
	}
	if fd, err = unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0); err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), path)
}

// hide keeps the server from reading this process's open files and working directory through /proc.
// Without it the server could, because the thread that started the server is in the server's
// Landlock domain.
func hide() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
