package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const adopts = true

// attributes make the server lead a session, and die with its keeper.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// hide keeps the server from reading this process's open files and working
// directory in /proc: the thread that started the server is in its Landlock domain.
func hide() error { return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
