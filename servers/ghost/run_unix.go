//go:build unix && !linux

package ghost

import (
	"os/exec"
	"syscall"
)

// run runs a player in a process group of its own, so that ending it also ends
// its children.
func run(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd.Run()
}
