package hidden

import (
	"os/exec"
	"syscall"
)

// detach shields a process from signals of the terminal, and kills it when its parent dies.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
