package privatebus

import (
	"os/exec"
	"syscall"
)

// detach puts a process into a group of its own, so that it ends with those that it
// started, and ends it with its parent.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// end asks the group of a process to end; hard: it does not ask.
func end(cmd *exec.Cmd, hard bool) {
	signal := syscall.SIGTERM
	if hard {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal)
}
