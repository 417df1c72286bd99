package client

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const adopts = true

// attributes has the server lead a group, and die with its keeper.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

func dup(from, to int) error { return unix.Dup3(from, to, 0) }
