package privatebus

import (
	"os/exec"
	"syscall"
)

// detach starts the process in a new process group, so that its children can be ended with it, and ends
// it when its parent dies.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// end asks a process group to end, or kills it if hard.
func end(cmd *exec.Cmd, hard bool) {
	signal := syscall.SIGTERM
	if hard {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-cmd.Process.Pid, signal)
}
