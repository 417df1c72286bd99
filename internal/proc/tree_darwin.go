package proc

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// adopt does nothing: launchd adopts orphans. The keeper records descendants
// instead; see [keeper.watch].
func adopt() error { return nil }

// zombie is the state of an exited process that nobody has reaped: SZOMB in sys/proc.h.
const zombie = 5

// readProcTable lists the running processes.
func readProcTable() procTable {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	now := make(procTable, len(table))
	for _, p := range table {
		if p.Proc.P_stat != zombie {
			now[int(p.Proc.P_pid)] = procEntry{parent: int(p.Eproc.Ppid), group: int(p.Eproc.Pgid), began: p.Proc.P_starttime.Nano()}
		}
	}
	return now
}
