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

// below lists the processes that descend from pid.
func below(pid int) []int {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	children := make(map[int][]int)
	for _, p := range table {
		parent := int(p.Eproc.Ppid)
		children[parent] = append(children[parent], int(p.Proc.P_pid))
	}
	return descendants(children, pid)
}
