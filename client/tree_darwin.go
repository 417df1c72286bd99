package client

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// adopt does nothing: orphans go to launchd. The keeper finds them by what it
// saw before; see its watch.
func adopt() error { return nil }

// zombie is the state of a process that has ended and is not waited for yet:
// SZOMB of sys/proc.h.
const zombie = 5

// takeCensus lists the processes that run.
func takeCensus() census {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	now := make(census, len(table))
	for _, p := range table {
		if p.Proc.P_stat != zombie {
			now[int(p.Proc.P_pid)] = person{parent: int(p.Eproc.Ppid), group: int(p.Eproc.Pgid), began: p.Proc.P_starttime.Nano()}
		}
	}
	return now
}
