package proctest

import (
	"os/exec"
	"syscall"
)

// bind makes the system kill a program when the thread that starts it exits.
func bind(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
