package hidden

import (
	"os/exec"
	"syscall"
)

// detach keeps signals of the terminal away from a process, and ends it with its parent.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
